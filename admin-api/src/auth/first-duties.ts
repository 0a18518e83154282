import type { Actor } from '@selvage/core/context/actor';
import type { Endpoint } from '@selvage/core/contracts/endpoint';
import { forbidden } from '@selvage/core/errors';

/** What a person may do before they have chosen another password or set up a second factor. */
type Allowed = Pick<Endpoint, 'beforePasswordChange' | 'beforeTwoFactor'>;

/** Says whether a person has to do something first, before all that the web app is for. */
export function hasDuties({ passwordChangeRequired, twoFactorOverdue }: Actor): boolean {
  return passwordChangeRequired || twoFactorOverdue;
}

/**
 * Refuses what a person may do only after they have done what they were asked to do first.
 * @throws 403 `password_change_required` or `two_factor_required`
 */
export function requireDutiesDone(
  { passwordChangeRequired, twoFactorOverdue }: Actor,
  { beforePasswordChange = false, beforeTwoFactor = false }: Allowed = {},
): void {
  if (beforePasswordChange) return;
  if (passwordChangeRequired) throw forbidden('Please change your password first.', 'password_change_required');
  if (!twoFactorOverdue || beforeTwoFactor) return;
  const text = 'Your company requires two-factor authentication. Please set it up first.';
  throw forbidden(text, 'two_factor_required');
}
