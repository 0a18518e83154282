import type { Actor } from '@selvage/core/context/actor';
import type { Endpoint } from '@selvage/core/contracts/endpoint';
import { forbidden } from '@selvage/core/errors';

/**
 * What an endpoint allows to a person who has to change their password or set up a second factor.
 */
type Allowed = Pick<Endpoint, 'beforePasswordChange' | 'beforeTwoFactor'>;

/** Whether the person must do something before they may use the web app. */
export function hasDuties({ passwordChangeRequired, twoFactorOverdue }: Actor): boolean {
  return passwordChangeRequired || twoFactorOverdue;
}

/**
 * Refuses a call until the person has changed their password or set up a second factor, if they
 * have to.
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
