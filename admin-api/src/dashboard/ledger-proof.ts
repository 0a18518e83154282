import { requireHost } from '@selvage/core/access/effective-permissions';
import type { LedgerDayDto, LedgerProofDto } from '@selvage/core/contracts/ledger-proof';
import type { MailAccount } from '@selvage/core/ledger/account-for-mail';
import { type ProvedDay, readLedgerDays } from '@selvage/core/ledger/ledger-days';
import type { SignedIn } from '../http/request-context.ts';

/** The results of the ledger proofs of the last days (D64). */
export async function readLedgerProof(ctx: SignedIn): Promise<LedgerProofDto> {
  requireHost(ctx);
  const days = await readLedgerDays(ctx);
  return {
    days: days.flatMap(({ proved }) => (proved === null ? [] : [present(proved)])),
    waiting: days.find(({ proved }) => proved === null)?.day ?? null,
  };
}

function present({ day, provedAt, accounts, difference, problems }: ProvedDay): LedgerDayDto {
  return {
    day,
    proved_at: provedAt.toISOString(),
    in: countsOf(accounts.in),
    out: countsOf(accounts.out),
    difference,
    problems: problems.map(({ kind, count, examples }) => ({ kind, count, examples })),
  };
}

function countsOf({ isBalanced: _isBalanced, ...counts }: MailAccount): LedgerDayDto['in'] {
  return counts;
}
