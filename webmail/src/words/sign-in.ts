import { words } from '../lib/i18n.ts';

/** The login page. */
export const signInWords = words('sign-in', {
  title: 'Log in',
  hint: 'Mail and administration of your company',
  email: 'Email',
  password: 'Password',
  forgot: 'Forgot password?',
  submit: 'Log in',
  busy: 'Logging In',
  emailRequired: 'Email is required',
  emailInvalid: 'Invalid email address',
  passwordRequired: 'Password is required',
  passwordShort: 'Password must be at least 8 characters long',
  captchaRequired: 'CAPTCHA is required',
  failed: 'Login failed.',
  unexpected: 'An unexpected error occurred.',
  codeFailed: 'OTP verification failed.',
  factorAgain:
    'Your sessions or your app changed meanwhile, so your second factor is needed once more. Please log in again.',
  endOneFailed: 'Failed to log out session.',
  endAllFailed: 'Failed to log out all sessions.',
});
