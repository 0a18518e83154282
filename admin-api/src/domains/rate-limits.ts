import type { Rule } from '../auth/throttle.ts';

/** Limits of the calls about domains (D12). */
export const rules = {
  /** Domains that people of one company add to it. */
  add: { name: 'domain-add', limit: 30, windowSeconds: 3600 },
  /** DNS queries for proofs that one person causes. */
  proof: { name: 'domain-proof', limit: 30, windowSeconds: 300 },
  /** Checks of a domain. Each sends some dozens of DNS queries. */
  check: { name: 'dns-check', limit: 60, windowSeconds: 600 },
  /** Reads of the guide, which a person leaves open while they change the DNS. */
  guide: { name: 'setup-guide', limit: 120, windowSeconds: 600 },
  /** Keys that one person requests. Making one takes a quarter of a second of processor time. */
  key: { name: 'dkim-key', limit: 30, windowSeconds: 3600 },
} as const satisfies Record<string, Rule>;
