import { type Ctx, systemContext } from '@selvage/core/context/context';
import { findDomain } from '@selvage/core/directory/find-addresses';
import { companyDomain } from '@selvage/core/mail/domain-name';
import { RecentCache } from '@selvage/core/recent-cache';
import type { Context } from 'koa';
import { contextOf } from '../http/request-context.ts';
import { timedOut } from '../http/route.ts';
import { WorkQueue } from '../http/work-queue.ts';

/** How long an answer is cached. A domain that is verified or deleted shows within this time. */
const keptMs = 30_000;
const maxCacheBytes = 1_048_576;
/** The memory of an entry besides its name, in bytes. */
const entryBytes = 200;
/** How many database queries run at once, since strangers can ask about any name. */
const atOnce = 4;

interface Known {
  isHosted: boolean;
  /** From `performance.now()`, since the wall clock may be ahead and then put right. */
  until: number;
}

/**
 * Tells which domains this host serves: those that a company has verified, and that are neither
 * deleted nor switched off. Strangers can ask, so answers are cached for a moment, and networks
 * take turns.
 */
export class HostedDomains {
  readonly #known = new RecentCache<Known>(maxCacheBytes);
  readonly #work = new WorkQueue(atOnce);

  /**
   * @param typed any text; a text that can't be a company's domain is not looked up
   * @returns the name as it is stored, or null when this host does not serve it
   * @throws {AppError} 503 while too many requests wait, or while the database is unavailable
   */
  async find(koa: Context, typed: string): Promise<string | null> {
    const domain = typed.length > 300 ? null : companyDomain(typed);
    if (domain === null) return null;
    const isHosted = this.#recent(domain) ?? (await this.#ask(koa, domain));
    return isHosted ? domain : null;
  }

  #recent(domain: string): boolean | undefined {
    const known = this.#known.get(domain);
    return known && known.until > performance.now() ? known.isHosted : undefined;
  }

  async #ask(koa: Context, domain: string): Promise<boolean> {
    const ctx = contextOf(koa);
    const limitMs = ctx.app.config.requestTimeoutSeconds * 1000;
    const turn = { ctx, limitMs, isGone: () => koa.res.closed, late: () => timedOut(koa) };
    // While this call waited, another call for the same name may have cached the answer
    return await this.#work.run(turn, async () => this.#recent(domain) ?? (await this.#lookUp(ctx, domain)));
  }

  async #lookUp({ app }: Ctx, domain: string): Promise<boolean> {
    const row = await findDomain(systemContext(app), domain);
    const isHosted = row !== undefined && !row.deleted && Boolean(row.active);
    const bytes = domain.length * 2 + entryBytes;
    this.#known.set(domain, { isHosted, until: performance.now() + keptMs }, bytes);
    return isHosted;
  }
}
