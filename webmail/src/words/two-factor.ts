import { count, params, words } from '../lib/i18n.ts';

/** Two-factor authentication in the account settings, and its dialogs. */
export const twoFactorWords = words('twoFactor', {
  title: 'Two-factor authentication',
  hint: 'At each login you enter your password and then a code from an app on your phone. A stolen password alone is then not enough.',
  on: 'On',
  off: 'Off',
  codesLeft: count({ one: '{count} recovery code left', other: '{count} recovery codes left' }),
  renewSoon: 'Renew them soon',
  lostAccess: 'Lost access to your app?',
  next: 'Next',
  back: 'Back',
  done: 'Done',
  checking: 'Checking',
  code: '6-digit code',

  requiredTitle: 'Set up two-factor authentication',
  requiredText:
    'Your company requires it for your role. Until it is set up, you can do nothing else here. It takes two minutes and an app on your phone.',
  setUp: 'Set it up',
  logout: 'Logout',

  turnOnTitle: 'Turn on two-factor authentication',
  turnOnText:
    'You need an app for one-time codes on your phone, such as Aegis, Google Authenticator or Microsoft Authenticator.',
  turnOn: 'Turn on',
  late: 'That took longer than ten minutes, so it begins again with your password. Remove the new entry from your app: there is another code to scan.',
  scanTitle: 'Scan this code with your app',
  scanPicture: 'QR code for your app; the secret is below',
  scanSecret: 'If your app can’t scan it, type this secret:',
  secretName: 'the secret',
  codeTitle: 'Enter the code from your app',
  isOn: 'Two-factor authentication is on',

  replace: 'Set up another app',
  replaceTitle: 'Set up another app',
  replaceText:
    'Your current app keeps working until you enter a code from the new one. Your passkeys and recovery codes stay, and your other sessions are ended.',
  useApp: 'Use this app',
  replaced: 'Your new app is set up',
  replacedText: 'Use its codes from now on. Codes from the old app no longer work.',

  turnOffTitle: 'Turn off two-factor authentication',
  turnOffText: 'The password alone will be enough to log in. Passkeys and recovery codes will be removed.',
  turnOff: 'Turn off',
  lostTitle: 'Lost access to your app',
  lostText:
    'With a recovery code or a passkey, choose “Set up another app” instead: two-factor then stays on. Here you turn it off, unless your company requires it, and can turn it on again with another app.',
  lostCodeTitle: 'Turn two-factor off without your app',
  ways: 'How to prove that it is you',
  byApp: 'A code from my app',
  byRecoveryCode: 'One of my recovery codes',
  byMail: params('A code mailed to {email}'),
  noMail:
    'A code can be mailed only to a recovery email that was confirmed. None is in use; an administrator of your company can help.',
  mailSubmit: 'Send the code',
  mailBusy: 'Sending',
  mailHint: 'It is in the mail that was just sent.',
  isOff: 'Two-factor authentication is off',
  isOffText: 'The password alone is enough to log in now. Your passkeys and recovery codes were removed.',

  renew: 'New recovery codes',
  renewText: 'You get ten new codes. The old ones stop working then.',
  anyCode: 'Code from your app, or a recovery code',
  anyCodeHint: 'Each code works once. If you have just used the one that your app shows, wait for the next.',
  anyCodeRequired: 'Please enter a code from your app, or a recovery code.',
  renewSubmit: 'Make new codes',
  renewBusy: 'Making them',
  renewed: 'Your new recovery codes',
  codes: 'Recovery codes',
  codesText:
    'Keep these codes where you can find them without your phone. Each lets you in once instead of a code from the app. They are not shown again.',
  codesKept: 'I have saved them',
  codesName: 'the recovery codes',
  download: 'Download',
  fileHead: params('Recovery codes of {email}'),
});
