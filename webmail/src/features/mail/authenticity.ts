import type { EmailDto, WarningDto } from '@selvage/core/contracts/email';
import { shownAddress } from '../../lib/shown-address.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { trustWords } from '../../words/trust.ts';

type Judged = Pick<EmailDto, 'authenticity' | 'warnings'>;

/** Whether a reader can be sure of the sender's domain, and nothing speaks against the message. */
export function isProved({ authenticity, warnings }: Judged): boolean {
  return authenticity?.dmarc === 'pass' && warnings.every(({ code }) => code === 'first_message');
}

/** The three results, for readers who know them. */
export function resultsOf({ authenticity }: Judged): string {
  const { spf = 'none', dkim = 'none', dmarc = 'none' } = authenticity ?? {};
  return `SPF ${spf} · DKIM ${dkim} · DMARC ${dmarc}`;
}

/** A warning in one plain sentence, and what to do about it. */
export function sentenceOf({ code, claimed, actual }: WarningDto): string {
  if (code === 'first_message') return '';
  const t = wordsOf(trustWords);
  // Only a domain that is trusted is shown in its own letters: a stranger's could deceive
  const shown =
    code === 'similar_domain' || code === 'similar_correspondent' ? shownAddress(claimed ?? '') : (claimed ?? '');
  const values = { claimed: shown, actual: actual ?? '' };
  return `${t[code](values)} ${t.careful}`;
}
