import { count, params, words } from '../lib/i18n.ts';

/** The security tab: password, recovery email, sessions, activity. */
export const securityWords = words('security', {
  password: 'Password',
  changePassword: 'Change password',

  recovery: 'Recovery email',
  recoveryHint:
    'An address outside this mailbox. We use it to help you if you lose your password or your second factor.',
  recoveryConfirmed: 'Confirmed',
  recoveryInvalid: 'Please enter a valid email address.',
  recoverySave: 'Save',
  recoverySaving: 'Saving',
  recoveryChange: 'Change the recovery email',
  recoveryChangeText: params(
    'We mail a link to {email}. The address is used once you have opened the link and confirmed it.',
  ),
  recoveryRemove: 'Remove the recovery email',
  recoveryUnsaved: 'the recovery email',
  recoveryRemoveText: 'Without a recovery email, only an administrator can help you back in.',
  recoveryRemoved: 'Recovery email removed',
  recoverySaved: 'Recovery email saved',
  recoveryMailed: params('A link is on its way to {email}'),
  recoveryWaiting: params(
    'Waiting for confirmation: open the link that was mailed to {email} and confirm the address. The link works for 24 hours.',
  ),
  recoveryLapsed: params(
    '{email} was confirmed, but is not used any more: its mailbox is switched off or belongs to another person, or people other than its owner can open it. Enter another address.',
  ),
  recoveryInForce: params('Until then, {email} stays in use. Remove the recovery email to end that.'),
  linkAgain: 'Send the link again',
  linkSending: 'Sending',

  sessions: 'Active sessions',
  sessionsHint: 'Devices and browsers that are logged in to your account.',
  sessionsNone: 'No active sessions.',
  thisDevice: 'This device',
  sessionStart: params('logged in {time}'),
  sessionLast: params('last used {time}'),
  end: 'Log out',
  endOwnNamed: 'Log out this device',
  endNamed: params('Log out session {id}'),
  endOthers: 'Log out all others',
  endOwnTitle: 'Log out of this device?',
  endOwnText: 'You leave Selvage here and have to log in again.',
  endOthersTitle: 'Log out all other sessions?',
  endOthersText: count({
    one: '{count} other session ends. You stay logged in here.',
    other: '{count} other sessions end. You stay logged in here.',
  }),
  ended: count({ one: 'Session logged out', other: '{count} sessions logged out' }),
  ending: 'Logging out',
  endOneFailed: 'Failed to log out session.',
  endAllFailed: 'Failed to log out all sessions.',

  activity: 'Recent activity',
  activityHint: 'If you don’t recognise something here, change your password.',
  activityNone: 'Nothing has happened yet.',
  activityFrom: params('from {ip}'),
});
