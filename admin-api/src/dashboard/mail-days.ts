import type { MailDayDto } from '@selvage/core/contracts/dashboard';
import { countWaiting } from '@selvage/core/ledger/mail-by-hour';
import { RecentCache } from '@selvage/core/recent-cache';
import type { SignedIn } from '../http/request-context.ts';
import { readMailHours } from './mail-hours.ts';

const keptMs = 30_000;
const keptScopes = 1_000;

interface Kept {
  until: number;
  answer: Promise<MailDayDto>;
}

/**
 * The mail of the last day. A busy host has a million rows for it. So an answer is cached for half
 * a minute for each scope, and all calls in that time share it.
 */
export class MailDays {
  // The cache's size is counted in answers
  readonly #kept = new RecentCache<Kept>(keptScopes);

  async read(ctx: SignedIn): Promise<MailDayDto> {
    const key = ctx.scope.kind === 'host' ? 'host' : ctx.scope.companyId;
    const kept = this.#kept.get(key);
    if (kept && kept.until > Date.now()) return await kept.answer;
    const answer = readMailDay(ctx);
    this.#kept.set(key, { until: Date.now() + keptMs, answer }, 1);
    try {
      return await answer;
    } catch (error) {
      // Expires the failed answer at once, so that the next call reads again
      this.#kept.set(key, { until: 0, answer }, 1);
      throw error;
    }
  }
}

async function readMailDay(ctx: SignedIn): Promise<MailDayDto> {
  const [hours, waiting] = await Promise.all([readMailHours(ctx, ctx.scope), countWaiting(ctx, ctx.scope)]);
  return { hours, waiting };
}
