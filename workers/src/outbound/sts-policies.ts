import { log } from '@selvage/core/log';
import { asciiDomain } from '@selvage/core/mail/addresses';
import { parseKept } from '@selvage/core/parse-kept';
import { RecentCache } from '@selvage/core/recent-cache';
import { fetchStsPolicy } from '@selvage/core/dns/fetch-sts-policy';
import {
  findStsAnnouncement,
  type KeptStsPolicy,
  keptStsPolicy,
  type StsPolicy,
} from '@selvage/core/dns/mta-sts-policy';
import type { App } from '@selvage/core/context/app';
import type { Config } from '@selvage/core/process/config';

/** What the search for a policy needs of the process. */
export interface StsMeans {
  config: Pick<Config, 'mtaStsPort' | 'outboundAllowPrivate'>;
  resolver: Pick<App['resolver'], 'txt' | 'a' | 'aaaa'>;
  redis: Pick<App['redis'], 'set' | 'mget'>;
}

/** The policy that is in force for a domain. */
export type HeldPolicy =
  | { kind: 'policy'; policy: StsPolicy }
  | { kind: 'none' }
  /** The domain may have a policy, but Redis, which may have a copy, can't be read now. */
  | { kind: 'unsure' };

/**
 * What this process has cached for a domain. Its moments are from `performance.now()`, since the
 * wall clock may have been ahead when they were set.
 */
interface Memory {
  kept: KeptStsPolicy | null;
  /** The policy's server is not asked before this moment. */
  notBefore: number;
  /** Redis is not asked again before this moment. */
  freshUntil: number;
  /** False when Redis could not be read: it may have a policy that this process does not know. */
  isCertain: boolean;
}

/** How long the entry of this process counts before Redis is asked again. */
const usualFreshMs = 60_000;
/** The same while Redis is away, so that not every delivery waits for it. */
const freshAwayMs = 5000;
/** How long no process asks a policy server that failed. */
const failedSeconds = 300;
/**
 * The least lifetime of a cached policy. A policy may have a `max_age` of 0, and must not be
 * fetched for each message.
 */
const leastAgeSeconds = 60;
const memoryBytes = 4_194_304;

/**
 * Finds and caches the MTA-STS policies of other domains (RFC 8461). Redis keeps them for all
 * processes, and each process keeps those that it used last. A policy that was fetched once stays
 * in force until it expires, whatever the name servers and the policy's server answer meanwhile: an
 * attacker in the path could silence them.
 */
export class StsPolicies {
  readonly #deadlineMs: number;
  readonly #freshMs: number;
  readonly #memory = new RecentCache<Memory>(memoryBytes);
  /** The fetches under way, by domain, so that a burst of messages starts only one. */
  readonly #fetching = new Map<string, Promise<KeptStsPolicy | null>>();

  constructor(options: { deadlineMs?: number; freshMs?: number } = {}) {
    this.#deadlineMs = options.deadlineMs ?? 10_000;
    this.#freshMs = options.freshMs ?? usualFreshMs;
  }

  /** Finds the policy that is in force for mail to a domain now. Never throws. */
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
    const mayAsk = performance.now() >= notBefore;
    if (kept?.id === announced.id) {
      if (mayAsk && Date.now() >= kept.renewAt) void this.#fetch(means, domain, announced.id);
      return { kind: 'policy', policy: kept.policy };
    }
    const held = (mayAsk ? await this.#fetch(means, domain, announced.id) : null) ?? kept;
    if (held) return { kind: 'policy', policy: held.policy };
    return { kind: isCertain ? 'none' : 'unsure' };
  }

  /** The cached entry of a domain, from this process or from Redis. */
  async #recall(means: StsMeans, domain: string): Promise<Memory> {
    const now = performance.now();
    const own = this.#memory.get(domain);
    const kept = own?.kept && own.kept.endsAt > Date.now() ? own.kept : null;
    if (own && own.freshUntil > now) return { ...own, kept };
    const shared = await readShared(means, domain);
    const notBefore = Math.max(own?.notBefore ?? 0, shared?.isLeftAlone ? now + usualFreshMs : 0);
    const isCertain = shared !== null;
    const freshUntil = now + (isCertain ? this.#freshMs : Math.min(this.#freshMs, freshAwayMs));
    // Redis may have lost its data, so it gets the policy back
    if (isCertain && kept && !shared.kept) await writeShared(means, domain, kept);
    return this.#remember(domain, { kept: shared?.kept ?? kept, notBefore, freshUntil, isCertain });
  }

  #remember(domain: string, memory: Memory): Memory {
    const names = memory.kept?.policy.mx.reduce((bytes, name) => bytes + name.length + 50, 0) ?? 0;
    this.#memory.set(domain, memory, 300 + domain.length + names);
    return memory;
  }

  async #fetch(means: StsMeans, domain: string, id: string): Promise<KeptStsPolicy | null> {
    const running = this.#fetching.get(domain);
    if (running) return await running;
    const fetching = this.#fetchNow(means, domain, id).finally(() => this.#fetching.delete(domain));
    this.#fetching.set(domain, fetching);
    return await fetching;
  }

  /**
   * Fetches a policy and caches it. Returns null on failure, and no process asks the server again
   * for `failedSeconds`.
   */
  async #fetchNow(means: StsMeans, domain: string, id: string): Promise<KeptStsPolicy | null> {
    const { config, resolver } = means;
    const where = { port: config.mtaStsPort, mayBePrivate: config.outboundAllowPrivate, deadlineMs: this.#deadlineMs };
    try {
      const policy = await fetchStsPolicy(domain, { resolver, ...where });
      const kept = keptFrom(id, policy);
      const memory = { kept, notBefore: 0, freshUntil: performance.now() + this.#freshMs, isCertain: true };
      this.#remember(domain, memory);
      await writeShared(means, domain, kept);
      return kept;
    } catch (error) {
      log.info('the MTA-STS policy of a domain could not be fetched', { domain, error });
      const before = this.#memory.get(domain) ?? { kept: null, freshUntil: 0, isCertain: false };
      this.#remember(domain, { ...before, notBefore: performance.now() + failedSeconds * 1000 });
      await tell(() => means.redis.set(failureKey(domain), String(Date.now()), 'EX', failedSeconds));
      return null;
    }
  }
}

/**
 * The longest lifetime of a cached policy. RFC 8461 3.2 allows a year. A domain that gets mail is
 * asked again long before, and the policies of all others must not fill Redis.
 */
const mostAgeSeconds = 31 * 86_400;

function keptFrom(id: string, policy: StsPolicy, now = Date.now()): KeptStsPolicy {
  const ageMs = Math.min(Math.max(policy.maxAge, leastAgeSeconds), mostAgeSeconds) * 1000;
  return { id, policy, renewAt: now + ageMs / 2, endsAt: now + ageMs };
}

const policyKey = (domain: string) => `mta-sts:${domain}`;
const failureKey = (domain: string) => `mta-sts-failed:${domain}`;

/** Null while Redis is away. */
async function readShared(
  { redis }: StsMeans,
  domain: string,
): Promise<{ kept: KeptStsPolicy | null; isLeftAlone: boolean } | null> {
  try {
    const [stored, failure] = await redis.mget(policyKey(domain), failureKey(domain));
    const kept = parseKept(stored, keptStsPolicy, policyKey(domain));
    const now = Date.now();
    // Redis keeps the time of a failure too long when the clock was ahead
    const isLeftAlone = failure !== null && Math.abs(now - Number(failure)) < failedSeconds * 1000;
    return { kept: kept && kept.endsAt > now ? kept : null, isLeftAlone };
  } catch (error) {
    log.debug('could not read a cached MTA-STS policy from Redis', { domain, error });
    return null;
  }
}

async function writeShared({ redis }: StsMeans, domain: string, kept: KeptStsPolicy): Promise<void> {
  const seconds = Math.ceil((kept.endsAt - Date.now()) / 1000);
  if (seconds > 0) await tell(() => redis.set(policyKey(domain), JSON.stringify(kept), 'EX', seconds));
}

/**
 * Writes to Redis and ignores a failure: this process has its own cache, and the others fetch the
 * policy themselves.
 */
async function tell(write: () => Promise<unknown>): Promise<void> {
  try {
    await write();
  } catch (error) {
    log.debug('redis could not keep an MTA-STS policy', { error });
  }
}
