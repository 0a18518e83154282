import type { EmailDto } from '@selvage/core/contracts/mail';

export interface Judgement {
  /** How sure one can be of the sender. */
  level: 'verified' | 'likely' | 'unknown' | 'suspicious';
  sentence: string;
  /** The three results, for those who want to know. */
  detail: string;
}

/** SPF, DKIM and DMARC in one plain sentence. */
export function judgeAuthenticity(authenticity: NonNullable<EmailDto['authenticity']>): Judgement {
  const { spf, dkim, dmarc, domain } = authenticity;
  const who = domain ?? 'the sender’s domain';
  const detail = `SPF ${spf} · DKIM ${dkim} · DMARC ${dmarc}`;
  if (dmarc === 'pass') return { level: 'verified', sentence: `Really from ${who}`, detail };
  if (dmarc === 'fail') {
    return {
      level: 'suspicious',
      sentence: `Claims to be from ${who}, but that could not be confirmed. Be careful`,
      detail,
    };
  }
  if (dkim === 'pass' || spf === 'pass') {
    return { level: 'likely', sentence: `Probably from ${who}, which publishes no rule to be sure by`, detail };
  }
  return { level: 'unknown', sentence: `Nobody vouches that this is from ${who}`, detail };
}
