let common: Promise<Set<string>> | undefined;

/**
 * Why a password may not be set, as a sentence; null when it may. Its length is the contract's business (D14). ASVS 2.1.7: what
 * stands in lists of common passwords is tried first by whoever guesses.
 */
export async function passwordProblem(password: string, email: string): Promise<string | null> {
  const plain = password.normalize('NFC').toLowerCase();
  const [local = '', domain = ''] = email.toLowerCase().split('@');
  if ([email.toLowerCase(), local, domain].includes(plain)) return 'The password must not be your e-mail address';
  common ??= loadCommon();
  return (await common).has(plain) ? 'This password is on lists of common passwords. Choose another one' : null;
}

/** 20 MB, so only a process in which somebody sets a password has them. */
async function loadCommon(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}
