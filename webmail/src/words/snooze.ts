import { params, words } from '../lib/i18n.ts';

/** Messages that leave the inbox and come back at a chosen time. */
export const snoozeWords = words('snooze', {
  title: 'Snooze until',
  today: 'Later today',
  tomorrow: 'Tomorrow morning',
  monday: 'Monday morning',
  confirm: 'Snooze',
  now: 'Back to the inbox now',
  until: params('Snoozed until {when}.'),
  sleeps: params('Until {when}'),
  returned: 'Snoozed',
  row: params('Snooze {subject}'),
  wakeRow: params('Move {subject} back to the inbox'),
  remind: 'Remind me if nobody answers…',
  remindTitle: 'Remind me if nobody answers by',
  remindConfirm: 'Remind me',
  remindBusy: 'Saving',
  remindNot: 'Remove the reminder',
  reminder: params('If nobody answers, you are reminded {when}.'),
  reminderSet: params('If nobody answers, you are reminded {when}'),
  reminderRemoved: 'Reminder removed',
});
