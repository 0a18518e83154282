import type { Ctx } from '../context/context.ts';
import { addAccounts, type MailAccount, type MailAccounts, type Period, sumOfStates } from './account-for-mail.ts';
import { checkMessages } from './check-messages.ts';
import { checkRows } from './check-rows.ts';
import { countAnswers } from './count-answers.ts';
import { type LedgerProblem, mostExamples } from './ledger-problem.ts';
import { proveBySums } from './prove-by-sums.ts';

/** The accounts of the mail of a period, and the messages and rows that are not accounted for. */
export interface LedgerCheck {
  accounts: MailAccounts;
  problems: LedgerProblem[];
}

/**
 * Proves the ledger of a period: `accepted = stored + relayed + bounced + held + queued` (D30), a
 * row for every message and copy, and a message or copy for every row.
 */
export async function checkLedger(ctx: Ctx, period: Period): Promise<LedgerCheck> {
  const { accounts, range } = await countAnswers(ctx, period);
  const proved = await proveBySums(ctx, period, range);
  const messageProblems = await checkMessages(ctx, period, proved);
  const rowProblems = await checkRows(ctx, period, range, proved);
  const sums = (['in', 'out'] as const).flatMap((direction) => unbalanced(direction, accounts[direction]));
  return { accounts, problems: [...sums, ...messageProblems, ...rowProblems] };
}

function unbalanced(direction: 'in' | 'out', account: MailAccount): LedgerProblem[] {
  if (account.isBalanced) return [];
  const what = `accepted (${direction}) is not the sum of its states`;
  return [{ kind: 'unbalanced', what, count: Math.abs(account.accepted - sumOfStates(account)), examples: [] }];
}

/** Adds the results for two parts of a period. */
export function addChecks(one: LedgerCheck, other: LedgerCheck): LedgerCheck {
  const problems = Map.groupBy([...one.problems, ...other.problems], ({ what }) => what);
  return {
    accounts: addAccounts(one.accounts, other.accounts),
    problems: [...problems.values()].flatMap(([first, ...further]) => {
      if (first === undefined) return [];
      const all = [first, ...further];
      const examples = all.flatMap((problem) => problem.examples).slice(0, mostExamples);
      return [{ ...first, count: all.reduce((sum, { count }) => sum + count, 0), examples }];
    }),
  };
}
