import type { Ctx } from '../context/context.ts';
import type { MailAccount, MailAccounts, Period } from './account-for-mail.ts';
import { checkDeliveries } from './check-deliveries.ts';
import { checkMessages } from './check-messages.ts';
import type { LedgerProblem } from './ledger-problem.ts';

/** What became of the mail of a period, and what is not accounted for. */
export interface LedgerCheck {
  accounts: MailAccounts;
  problems: LedgerProblem[];
}

/**
 * Proves the ledger of a period: `accepted = stored + relayed + bounced + held + queued` (D30), a
 * row for every message and copy, and a message or copy for every row.
 */
export async function checkLedger(ctx: Ctx, period: Period): Promise<LedgerCheck> {
  const messageProblems = await checkMessages(ctx, period);
  const { accounts, problems } = await checkDeliveries(ctx, period);
  const sums = (['in', 'out'] as const).flatMap((direction) => unbalanced(direction, accounts[direction]));
  return { accounts, problems: [...sums, ...messageProblems, ...problems] };
}

function unbalanced(direction: 'in' | 'out', { accepted, isBalanced }: MailAccount): LedgerProblem[] {
  if (isBalanced) return [];
  return [{ what: `accepted (${direction}) is not the sum of its states`, count: accepted, examples: [] }];
}
