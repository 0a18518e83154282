import type { Rule } from '../auth/throttle.ts';

const hour = 3600;
const day = 86_400;

/** Limits of the calls of one's own account (D12). */
export const rules = {
  /** Requests for a link, of one network. */
  forgotAddress: { name: 'forgot-address', limit: 30, windowSeconds: 900 },
  /** The same for one account, known or not, so that being refused tells nothing. */
  forgotAccount: { name: 'forgot-account', limit: 5, windowSeconds: hour },
  /** Links mailed for one account, whoever asks: past it nothing is sent, and nobody is told. */
  forgotMail: { name: 'forgot-mail', limit: 10, windowSeconds: day },
  /** Mailed links that are opened, of one network. */
  link: { name: 'link', limit: 60, windowSeconds: 300 },
  /** Mails to an address that nobody has confirmed, of one person. */
  confirmationMail: { name: 'confirmation-mail', limit: 5, windowSeconds: hour },
} as const satisfies Record<string, Rule>;
