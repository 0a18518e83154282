import type { DomainHealthDto } from '@selvage/core/contracts/domain-guard';
import { type StateKind, StateWord } from '../../components/StateWord.tsx';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { domainGuardWords } from '../../words/domain-guard.ts';

type Health = Pick<DomainHealthDto, 'health' | 'failures'>;

const kinds: Record<DomainHealthDto['health'], StateKind> = {
  unknown: 'waiting',
  good: 'good',
  warning: 'held',
  error: 'bad',
};

/** How the DNS of a domain was at the last look. */
export function HealthState({ domain }: { domain: Health }) {
  useWords(domainGuardWords);
  return <StateWord kind={domain.failures > 0 ? 'held' : kinds[domain.health]}>{healthInWords(domain)}</StateWord>;
}

/** The same as text. */
export function healthInWords({ health, failures }: Health): string {
  const t = wordsOf(domainGuardWords);
  return failures > 0 ? t.noAnswer : t[health];
}
