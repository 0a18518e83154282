import type { EmailDto } from '@selvage/core/contracts/mail';
import { wordsOf } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';

interface Judgement {
  /** How sure a reader can be of the sender. */
  level: 'verified' | 'likely' | 'unknown' | 'suspicious';
  sentence: string;
  /** The three results, for readers who know them. */
  detail: string;
}

/** SPF, DKIM and DMARC in one plain sentence. */
export function judgeAuthenticity(authenticity: NonNullable<EmailDto['authenticity']>): Judgement {
  const t = wordsOf(readingWords);
  const { spf, dkim, dmarc } = authenticity;
  const domain = authenticity.domain ?? t.senderDomain;
  const detail = `SPF ${spf} · DKIM ${dkim} · DMARC ${dmarc}`;
  if (dmarc === 'pass') return { level: 'verified', sentence: t.verified({ domain }), detail };
  if (dmarc === 'fail') return { level: 'suspicious', sentence: t.suspicious({ domain }), detail };
  const isLikely = dkim === 'pass' || spf === 'pass';
  return isLikely
    ? { level: 'likely', sentence: t.likely({ domain }), detail }
    : { level: 'unknown', sentence: t.unknown({ domain }), detail };
}
