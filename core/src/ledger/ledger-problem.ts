import type { LedgerProblemKind } from '../contracts/ledger-proof.ts';

/** A fault in the ledger. */
export interface LedgerProblem {
  kind: LedgerProblemKind;
  /** In words, for the operator. */
  what: string;
  count: number;
  /** Mail ids of some of them. */
  examples: string[];
}

export const mostExamples = 5;
