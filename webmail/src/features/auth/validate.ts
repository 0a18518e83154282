export interface SignInForm {
  email: string;
  password: string;
  captcha: string;
}

export type SignInProblems = Partial<Record<keyof SignInForm, string>>;

const EMAIL = /^[^\s@]+@[^\s@]+\.?[^\s@]*$/;

export function validateSignIn({ email, password, captcha }: SignInForm): SignInProblems {
  const problems: SignInProblems = {};
  if (!email.trim()) problems.email = 'Email is required';
  else if (!EMAIL.test(email.trim())) problems.email = 'Invalid email address';
  if (!password) problems.password = 'Password is required';
  else if (password.length < 8) problems.password = 'Password must be at least 8 characters long';
  if (!captcha.trim()) problems.captcha = 'CAPTCHA is required';
  return problems;
}
