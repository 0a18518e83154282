import { params, words } from '../lib/i18n.ts';

/** Changing one's password. */
export const changePasswordWords = words('changePassword', {
  title: 'Change password',
  current: 'Current password',
  submit: 'Change password',
  busy: 'Changing',
  cancel: 'Cancel',
  logout: 'Logout',
  failed: 'Failed to change password',
  otherWays: 'Also end',
  otherWaysHint: 'These log in without the password. End those that you do not recognise or no longer use.',
  otherWaysFailed: 'What else logs in without the password could not be loaded in full.',
  appPassword: params('App password “{name}”, {used}'),
  passkey: params('Passkey “{name}”, {used}'),
  /** Of a change that the person makes on their own. */
  endsAll: 'Changing the password ends all your sessions, this one too. Afterwards you log in with the new one.',
  /** Of a change that has to be made before anything else. */
  required: 'Choose a password that only you know before you go on. Your other sessions end.',
});
