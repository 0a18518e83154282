import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { atom } from 'nanostores';

/**
 * True while a person sets up the second factor that they were asked for. Its last step shows codes
 * that are seen once, when the server already has what it asked for.
 */
export const isSettingUpTwoFactor = atom(false);

/** What a person has to do before the server lets them do anything else; null for nothing. */
export function dutyOf(user: CurrentUserDto | undefined): 'password' | 'two-factor' | null {
  if (user?.password_change_required) return 'password';
  return user?.two_factor_due?.is_over ? 'two-factor' : null;
}
