import { words } from '../lib/i18n.ts';

/** Asking for a link to set a new password. */
export const forgotPasswordWords = words('forgotPassword', {
  title: 'Forgot your password?',
  hint: 'We mail a link to the recovery address of your account. It is good once, for 24 hours.',
  email: 'Email',
  captchaRequired: 'CAPTCHA is required',
  submit: 'Send link',
  busy: 'Sending',
  sentTitle: 'Look into your mail',
  back: 'Back to login',
});
