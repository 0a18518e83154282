import { log } from '@selvage/core/log';
import { asciiDomain } from '@selvage/core/mail/addresses';
import { RecentCache } from '@selvage/core/recent-cache';
import { fetchStsPolicy } from '@selvage/core/dns/fetch-sts-policy';
import { findStsAnnouncement, type StsPolicy, stsPolicySchema } from '@selvage/core/dns/mta-sts-policy';
import type { App } from '@selvage/core/context/app';
import type { Config } from '@selvage/core/process/config';

/** What looking for a policy needs of the process. */
export interface StsMeans {
  config: Pick<Config, 'mtaStsPort' | 'outboundAllowPrivate'>;
  resolver: Pick<App['resolver'], 'txt' | 'a' | 'aaaa'>;
  redis: Pick<App['redis'], 'set' | 'mget'>;
}

/** The policy that holds for a domain. */
export type HeldPolicy =
  | { kind: 'policy'; policy: StsPolicy }
  | { kind: 'none' }
  /** It has one perhaps, and what is kept of it can't be read now. */
  | { kind: 'unsure' };

/** A policy as it is kept. Times are milliseconds since 1970. */
interface Kept {
  id: string;
  policy: StsPolicy;
  /** From when on it is fetched anew, so that it never runs out while its server is there. */
  renewAt: number;
  endsAt: number;
}

/** What this process remembers of a domain. */
interface Memory {
  kept: Kept | null;
  /** No server of the domain is asked before this moment. */
  notBefore: number;
  /** Until when Redis is not asked again. */
  freshUntil: number;
  /** False while Redis is away: it may know more. */
  isCertain: boolean;
}

/** How long what this process remembers counts without a look at Redis. */
const usualFreshMs = 60_000;
/** While Redis is away, not every delivery waits for it. */
const freshAwayMs = 5000;
/** How long a server that failed is left alone, by the process that asked it and by the others. */
const failedSeconds = 300;
/** A policy may say that it holds for no time at all; it isn't fetched for each message. */
const leastAgeSeconds = 60;
const memoryBytes = 4_194_304;

/**
 * The MTA-STS policies of other domains (RFC 8461). They are kept in Redis for all processes, and
 * the last used ones in this process. A policy that was fetched once holds until its time is over,
 * whatever name servers and the policy's server say or don't say meanwhile: an attacker on the way
 * could make them silent.
 */
export class StsPolicies {
  readonly #deadlineMs: number;
  readonly #freshMs: number;
  readonly #memory = new RecentCache<Memory>(memoryBytes);
  /** By domain: a burst of messages asks once. */
  readonly #fetching = new Map<string, Promise<Kept | null>>();

  constructor(options: { deadlineMs?: number; freshMs?: number } = {}) {
    this.#deadlineMs = options.deadlineMs ?? 10_000;
    this.#freshMs = options.freshMs ?? usualFreshMs;
  }

  /** The policy that holds for mail to a domain now. Never throws. */
  async find(means: StsMeans, recipientDomain: string): Promise<HeldPolicy> {
    const domain = asciiDomain(recipientDomain);
    if (domain === null) return { kind: 'none' };
    const [announced, memory] = await Promise.all([
      findStsAnnouncement(means.resolver, domain),
      this.#recall(means, domain),
    ]);
    const { kept, isCertain, notBefore } = memory;
    if (announced.kind !== 'policy') {
      if (kept) return { kind: 'policy', policy: kept.policy };
      return { kind: announced.kind === 'unknown' && !isCertain ? 'unsure' : 'none' };
    }
    const mayAsk = Date.now() >= notBefore;
    if (kept?.id === announced.id) {
      if (mayAsk && Date.now() >= kept.renewAt) void this.#fetch(means, domain, announced.id);
      return { kind: 'policy', policy: kept.policy };
    }
    const held = (mayAsk ? await this.#fetch(means, domain, announced.id) : null) ?? kept;
    if (held) return { kind: 'policy', policy: held.policy };
    return { kind: isCertain ? 'none' : 'unsure' };
  }

  /** What is remembered of a domain, in this process or by Redis. */
  async #recall(means: StsMeans, domain: string): Promise<Memory> {
    const now = Date.now();
    const own = this.#memory.get(domain);
    const kept = own?.kept && own.kept.endsAt > now ? own.kept : null;
    if (own && own.freshUntil > now) return { ...own, kept };
    const shared = await readShared(means, domain);
    const notBefore = Math.max(own?.notBefore ?? 0, shared?.isLeftAlone ? now + usualFreshMs : 0);
    const isCertain = shared !== null;
    const freshUntil = now + (isCertain ? this.#freshMs : Math.min(this.#freshMs, freshAwayMs));
    // Redis may have been emptied
    if (isCertain && kept && !shared.kept) await writeShared(means, domain, kept);
    return this.#remember(domain, { kept: shared?.kept ?? kept, notBefore, freshUntil, isCertain });
  }

  #remember(domain: string, memory: Memory): Memory {
    const names = memory.kept?.policy.mx.reduce((bytes, name) => bytes + name.length + 50, 0) ?? 0;
    this.#memory.set(domain, memory, 300 + domain.length + names);
    return memory;
  }

  async #fetch(means: StsMeans, domain: string, id: string): Promise<Kept | null> {
    const running = this.#fetching.get(domain);
    if (running) return await running;
    const fetching = this.#fetchNow(means, domain, id).finally(() => this.#fetching.delete(domain));
    this.#fetching.set(domain, fetching);
    return await fetching;
  }

  /** Null when it can't be had; its server is left alone for a while then. */
  async #fetchNow(means: StsMeans, domain: string, id: string): Promise<Kept | null> {
    const { config, resolver } = means;
    const where = { port: config.mtaStsPort, mayBePrivate: config.outboundAllowPrivate, deadlineMs: this.#deadlineMs };
    try {
      const policy = await fetchStsPolicy(domain, { resolver, ...where });
      const kept = keptFrom(id, policy);
      const memory = { kept, notBefore: 0, freshUntil: Date.now() + this.#freshMs, isCertain: true };
      this.#remember(domain, memory);
      await writeShared(means, domain, kept);
      return kept;
    } catch (error) {
      log.info('the MTA-STS policy of a domain could not be fetched', { domain, error });
      const before = this.#memory.get(domain) ?? { kept: null, freshUntil: 0, isCertain: false };
      this.#remember(domain, { ...before, notBefore: Date.now() + failedSeconds * 1000 });
      await tell(() => means.redis.set(failureKey(domain), '1', 'EX', failedSeconds));
      return null;
    }
  }
}

/**
 * A policy may hold for a year (RFC 8461 3.2). A domain that is written to is asked again long
 * before; what is kept of the others must not fill Redis.
 */
const mostAgeSeconds = 31 * 86_400;

function keptFrom(id: string, policy: StsPolicy, now = Date.now()): Kept {
  const ageMs = Math.min(Math.max(policy.maxAge, leastAgeSeconds), mostAgeSeconds) * 1000;
  return { id, policy, renewAt: now + ageMs / 2, endsAt: now + ageMs };
}

const policyKey = (domain: string) => `mta-sts:${domain}`;
const failureKey = (domain: string) => `mta-sts-failed:${domain}`;

/** Null while Redis is away. */
async function readShared(
  { redis }: StsMeans,
  domain: string,
): Promise<{ kept: Kept | null; isLeftAlone: boolean } | null> {
  try {
    const [stored, failure] = await redis.mget(policyKey(domain), failureKey(domain));
    const kept = stored ? readKept(stored) : null;
    return { kept: kept && kept.endsAt > Date.now() ? kept : null, isLeftAlone: failure !== null };
  } catch (error) {
    log.debug('redis could not tell what is kept of an MTA-STS policy', { domain, error });
    return null;
  }
}

async function writeShared({ redis }: StsMeans, domain: string, kept: Kept): Promise<void> {
  const seconds = Math.ceil((kept.endsAt - Date.now()) / 1000);
  if (seconds > 0) await tell(() => redis.set(policyKey(domain), JSON.stringify(kept), 'EX', seconds));
}

/** Redis may be away: this process remembers by itself, and the others ask for themselves. */
async function tell(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log.debug('redis could not keep an MTA-STS policy', { error });
  }
}

/** Null for what another version wrote. */
function readKept(stored: string): Kept | null {
  const { id, policy, renewAt, endsAt } = JSON.parse(stored) as Partial<Kept>;
  const known = stsPolicySchema.safeParse(policy);
  if (!known.success || typeof id !== 'string' || typeof renewAt !== 'number' || typeof endsAt !== 'number')
    return null;
  return { id, policy: known.data, renewAt, endsAt };
}
