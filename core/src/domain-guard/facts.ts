import type { DnsCheck, DnsProblem } from '../contracts/domain-check.ts';
import {
  type ChangePart,
  type Facts,
  type WatchedPart,
  watchedParts,
  type Watches,
} from '../contracts/domain-guard.ts';
import type { Examined } from '../domain-check/check-domain.ts';

type Seen = Pick<Examined, 'check' | 'silent' | 'unsure'>;

/**
 * What the DNS says of a domain, part by part. A part that a name server was silent about is left
 * out. The addresses of the domain itself are left out as well: they belong to its web site, which
 * may change them each hour, and no mail depends on them.
 */
export function factsOf({ check, silent }: Pick<Seen, 'check' | 'silent'>): Facts {
  const facts: Required<Facts> = {
    mx: check.mx.records.map(({ priority, exchange }) => `${priority} ${exchange}`),
    spf: check.spf.record === null ? [] : [check.spf.record],
    dkim: check.dkim.records.flatMap(({ selector, txt }) => (txt === null ? [] : [`${selector}: ${txt}`])),
    dmarc: check.dmarc.record === null ? [] : [check.dmarc.record],
    ns: check.dns.ns.map(({ name }) => name),
  };
  const known = Object.entries(facts).filter(([part]) => !isSilentAbout(part as keyof Facts, { check, silent }));
  return Object.fromEntries(known.map(([part, lines]) => [part, lines.toSorted()]));
}

function isSilentAbout(
  part: keyof Facts,
  { check: { domain, dkim, dmarc }, silent }: Pick<Seen, 'check' | 'silent'>,
): boolean {
  switch (part) {
    case 'mx':
      return silent.has(`MX ${domain}`);
    case 'ns':
      return silent.has(`NS ${domain}`);
    case 'spf':
      return silent.has(`TXT ${domain}`);
    case 'dmarc':
      return !dmarc.found && namesIn(silent).some((name) => name.startsWith('_dmarc.'));
    case 'dkim':
      return dkim.selectors.some((selector) => silent.has(`TXT ${selector}._domainkey.${domain}`));
  }
}

const namesIn = (silent: ReadonlySet<string>): string[] => [...silent].map((key) => key.slice(key.indexOf(' ') + 1));

/** A part of which the DNS says something else than before. */
export interface Difference {
  part: Exclude<ChangePart, 'expiry'>;
  before: string[];
  after: string[];
}

/** The parts that have changed. A part that is unknown, before or now, does not count. */
export function differencesOf(before: Facts, after: Facts): Difference[] {
  return Object.entries(after).flatMap(([name, lines]) => {
    const part = name as Difference['part'];
    const known = before[part];
    return known && known.join('\n') !== lines.join('\n') ? [{ part, before: known, after: lines }] : [];
  });
}

/** The state of a part at one look; `unknown` where a silent name server may be the reason. */
export type PartState = 'good' | 'bad' | 'unknown';

/** The state of each watched part. */
export function statesOf(seen: Seen): Record<WatchedPart, PartState> {
  const states = watchedParts.map((part) => [part, stateOf(part, seen)] as const);
  return Object.fromEntries(states) as Record<WatchedPart, PartState>;
}

function stateOf(part: WatchedPart, { check, unsure }: Seen): PartState {
  if (check[part].valid) return 'good';
  return unsure.has(part) ? 'unknown' : 'bad';
}

/**
 * What a look found, as an index of `healthLevels`; null when no name server has answered. A part
 * that is unknown now counts as it was believed to be before.
 */
export function healthOf(check: DnsCheck, states: Record<WatchedPart, PartState>, watches: Watches): number | null {
  if (watchedParts.every((part) => states[part] === 'unknown')) return null;
  const isUnknown = (part: DnsProblem['part']): boolean => part !== 'dns' && states[part] === 'unknown';
  const certain = check.problems.filter(({ part }) => !isUnknown(part)).map(({ level }) => level);
  const isStillBad = watchedParts.some((part) => states[part] === 'unknown' && watches[part]?.state === 'bad');
  if (certain.includes('error') || isStillBad) return 3;
  return certain.includes('warning') ? 2 : 1;
}
