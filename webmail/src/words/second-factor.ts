import { words } from '../lib/i18n.ts';

/** The second step of a login. */
export const secondFactorWords = words('secondFactor', {
  title: 'Two-factor authentication',
  code: 'Code',
  verify: 'Verify',
  verifying: 'Verifying',
  others: 'Other ways',
  useApp: 'Use the code from my app',
  appText: 'Enter the 6-digit code that your authenticator app shows now.',
  usePasskey: 'Use a passkey',
  passkeyText: 'Your browser asks for the passkey: a security key, your phone, or how you unlock this device.',
  passkeySubmit: 'Use passkey',
  passkeyBusy: 'Waiting',
  passkeyFailed: 'The passkey was not used. Try again or choose another way.',
  useRecoveryCode: 'Use a recovery code',
  recoveryCodeText:
    'Enter one of the codes that you kept when you turned two-factor authentication on. Each works once.',
  recoveryCodeUsed: 'That recovery code is used up. New ones are in the account settings.',
  useMail: 'Send a code to my recovery email',
  mailText:
    'We send a 6-digit code to your recovery email. Logging in with it turns two-factor authentication off; you can turn it on again in the account settings.',
  mailSubmit: 'Send code',
  mailBusy: 'Sending',
  mailSent: 'A code is on its way to your recovery email. Check the spam folder too.',
  mailAgain: 'Send again',
  noMailedCode:
    'No code can be mailed this time, because your password was set with a link to your recovery email. Without your app and your recovery codes, ask an administrator of your company to turn two-factor authentication off for you.',
  mailUsed: 'Two-factor authentication is off. Turn it on again in the account settings.',
});
