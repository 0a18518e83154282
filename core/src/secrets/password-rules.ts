let common: Promise<Set<string>> | undefined;

/**
 * Why a password may not be set, as a sentence; null when it may be. The contract checks its length
 * (D14). ASVS 2.1.7: an attacker tries the lists of common passwords first.
 */
export async function passwordProblem(password: string, email: string): Promise<string | null> {
  const plain = password.normalize('NFC').toLowerCase();
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  if ([email.toLowerCase(), local, domain].includes(plain)) return 'The password must not be your email address';
  common ??= loadCommon();
  return (await common).has(plain) ? 'This password is on lists of common passwords. Choose another one' : null;
}

/** Takes 20 MB, so only a process in which a person sets a password loads it. */
async function loadCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
