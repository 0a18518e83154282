import { words } from '../lib/i18n.ts';

/** Asking for a link to set a new password. */
export const forgotPasswordWords = words('forgotPassword', {
  title: 'Forgot your password?',
  hint: 'We send a link to the confirmed recovery email of your account. It works once, within 24 hours. If it has none, ask an administrator of your company for a new password.',
  email: 'Email',
  captchaRequired: 'CAPTCHA is required',
  submit: 'Send link',
  busy: 'Sending',
  sentTitle: 'Check your mail',
  back: 'Back to login',
});
