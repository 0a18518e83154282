import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { atom } from 'nanostores';

/**
 * True while a person sets up the second factor that they were asked for. For the server the duty
 * ends before the last step, which shows codes that are seen only once.
 */
export const isSettingUpTwoFactor = atom(false);

/** What a person has to do before the server lets them do anything else; null for nothing. */
export function dutyOf(user: CurrentUserDto | undefined): 'password' | 'two-factor' | null {
  if (user?.password_change_required) return 'password';
  return user?.two_factor_due?.is_over ? 'two-factor' : null;
}
