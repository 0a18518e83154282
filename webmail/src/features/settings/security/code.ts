import { oneTimeCode } from '@selvage/core/contracts/fields';
import { ApiError, messageOf } from '../../../lib/api-error.ts';

export const NOT_SIX_DIGITS = 'Please enter a valid 6-digit OTP.';

export function isSixDigits(text: string): boolean {
  return oneTimeCode.safeParse(text).success;
}

/** What to say at the field of a code that was not taken. */
export function problemOfCode(error: unknown): string {
  const fields = error instanceof ApiError ? error.fields : {};
  return fields['otp'] ?? fields['recovery_code'] ?? messageOf(error);
}
