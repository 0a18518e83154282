import { dictionary } from '@zxcvbn-ts/language-common';

let common: Set<string> | undefined;

/**
 * Why a password may not be set, as a sentence; null when it may. Its length is the contract's business (D14). ASVS 2.1.7: what
 * stands in lists of common passwords is tried first by whoever guesses.
 */
export function passwordProblem(password: string, email: string): string | null {
  const plain = password.normalize('NFC').toLowerCase();
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  if ([email.toLowerCase(), local, domain].includes(plain)) return 'The password must not be your e-mail address';
  common ??= new Set(dictionary['passwords-common'] as string[]);
  return common.has(plain) ? 'This password is on lists of common passwords. Choose another one' : null;
}
