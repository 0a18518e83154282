import type { Rule } from '../auth/throttle.ts';

/** Limits of the calls about other people (D12). */
export const rules = {
  /** Mails of one administrator to recovery addresses that they entered for other people. */
  confirmationMail: { name: 'admin-confirmation-mail', limit: 200, windowSeconds: 3600 },
} as const satisfies Record<string, Rule>;
