import { type Ctx, systemContext } from '@selvage/core/context/context';
import { findDomain } from '@selvage/core/directory/find-addresses';
import { companyDomain } from '@selvage/core/mail/domain-name';
import { RecentCache } from '@selvage/core/recent-cache';
import type { Context } from 'koa';
import { contextOf } from '../http/request-context.ts';
import { timedOut } from '../http/route.ts';
import { WorkQueue } from '../http/work-queue.ts';

/** How long an answer is kept, so a domain that is proved or deleted changes within this time. */
const keptMs = 30_000;
const maxCacheBytes = 1_048_576;
/** What an entry takes beside its name. */
const entryBytes = 200;
/** Questions to the database at a time: strangers ask, with any name. */
const atOnce = 4;

interface Known {
  isHosted: boolean;
  until: number;
}

/**
 * Says which domains have their mail here: proved by a company, and neither deleted nor switched
 * off. Strangers ask for it, so what was answered is kept for a moment, and networks take turns.
 */
export class HostedDomains {
  readonly #known = new RecentCache<Known>(maxCacheBytes);
  readonly #work = new WorkQueue(atOnce);

  /**
   * @param typed any text; what can't be a company's domain is not looked up
   * @returns the name as it is stored, or null where its mail is not here
   * @throws {AppError} 503 while too many ask, or the database is away
   */
  async find(koa: Context, typed: string): Promise<string | null> {
    const domain = typed.length > 300 ? null : companyDomain(typed);
    if (domain === null) return null;
    const isHosted = this.#recent(domain) ?? (await this.#ask(koa, domain));
    return isHosted ? domain : null;
  }

  #recent(domain: string): boolean | undefined {
    const known = this.#known.get(domain);
    return known && known.until > Date.now() ? known.isHosted : undefined;
  }

  async #ask(koa: Context, domain: string): Promise<boolean> {
    const ctx = contextOf(koa);
    const limitMs = ctx.app.config.requestTimeoutSeconds * 1000;
    const turn = { ctx, limitMs, isGone: () => koa.res.closed, late: () => timedOut(koa) };
    // A burst that asks for one name is answered by the first look-up
    return await this.#work.run(turn, async () => this.#recent(domain) ?? (await this.#lookUp(ctx, domain)));
  }

  async #lookUp({ app }: Ctx, domain: string): Promise<boolean> {
    const row = await findDomain(systemContext(app), domain);
    const isHosted = row !== undefined && !row.deleted && Boolean(row.active);
    const bytes = domain.length * 2 + entryBytes;
    this.#known.set(domain, { isHosted, until: Date.now() + keptMs }, bytes);
    return isHosted;
  }
}
