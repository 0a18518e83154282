import type { Rule } from '../auth/throttle.ts';

/** Limits of the calls about domains (D12). */
export const rules = {
  /** Domains that are added to one company by its own people. */
  add: { name: 'domain-add', limit: 30, windowSeconds: 3600 },
  /** Questions to the DNS that one person asks for proofs. */
  proof: { name: 'domain-proof', limit: 30, windowSeconds: 300 },
  /** Checks of a domain, each of which asks some dozens of questions. */
  check: { name: 'dns-check', limit: 60, windowSeconds: 600 },
  /** Looks at the guide, which a person leaves open while they change the DNS. */
  guide: { name: 'setup-guide', limit: 120, windowSeconds: 600 },
  /** Keys that one person asks for: making one takes a processor a quarter of a second. */
  key: { name: 'dkim-key', limit: 30, windowSeconds: 3600 },
} as const satisfies Record<string, Rule>;
