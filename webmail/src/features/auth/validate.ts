import { wordsOf } from '../../lib/i18n.ts';
import type { Problems } from '../../lib/problems.ts';
import { signInWords } from '../../words/sign-in.ts';

/** What the login form holds. */
export type SignInValues = { email: string; password: string; captcha: string };

const EMAIL = /^[^\s@]+@[^\s@]+\.?[^\s@]*$/;
const SHORTEST_PASSWORD = 8;

/**
 * What is wrong with the login form. It checks by itself: the schemas would make the first screen
 * half as large again.
 */
export function validateSignIn({ email, password, captcha }: SignInValues): Problems {
  const t = wordsOf(signInWords);
  const problems: Problems = {};
  if (!email.trim()) problems['email'] = t.emailRequired;
  else if (!EMAIL.test(email.trim())) problems['email'] = t.emailInvalid;
  if (!password) problems['password'] = t.passwordRequired;
  else if (password.length < SHORTEST_PASSWORD) problems['password'] = t.passwordShort;
  if (!captcha.trim()) problems['captcha'] = t.captchaRequired;
  return problems;
}
