import type { Rule } from '../auth/throttle.ts';

const hour = 3600;
const day = 86_400;

/** Limits of the calls about the caller's account (D12). */
export const rules = {
  /** Requests for a link from one network. */
  forgotAddress: { name: 'forgot-address', limit: 30, windowSeconds: 900 },
  /** Requests for one account, whether or not it exists, so that a refusal reveals nothing. */
  forgotAccount: { name: 'forgot-account', limit: 5, windowSeconds: hour },
  /** Links mailed for one account. Beyond it no link is sent, and the caller is not told. */
  forgotMail: { name: 'forgot-mail', limit: 10, windowSeconds: day },
  /** Mailed links that are opened from one network. */
  link: { name: 'link', limit: 60, windowSeconds: 300 },
  /** Recovery addresses that one person enters, also those that are refused. */
  recoveryAddress: { name: 'recovery-address', limit: 30, windowSeconds: hour },
  /** Mails of one person to addresses that are not confirmed. */
  confirmationMail: { name: 'confirmation-mail', limit: 5, windowSeconds: hour },
  /** Mails to one address that is not confirmed, counted over all people who enter it. */
  confirmationTarget: { name: 'confirmation-target', limit: 10, windowSeconds: day },
  /**
   * Changes of one person that mail them a notice, also outside of this host. Each leaves a row in
   * the audit trail as well.
   */
  toldChange: { name: 'told-change', limit: 30, windowSeconds: hour },
} as const satisfies Record<string, Rule>;
