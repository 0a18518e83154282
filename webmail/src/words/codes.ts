import { words } from '../lib/i18n.ts';

/** What is said of six-digit codes and recovery codes, wherever they are asked for. */
export const codeWords = words('codes', {
  notSixDigits: 'Please enter a valid 6-digit OTP.',
  recoveryCode: 'Recovery code',
  recoveryCodeRequired: 'Please enter a recovery code.',
});
