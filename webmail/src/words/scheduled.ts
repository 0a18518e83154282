import { count, params, words } from '../lib/i18n.ts';

/** Times at which a message leaves. */
export const sendTimeWords = words('send-times', {
  offerToday: 'Later today',
  offerTomorrow: 'Tomorrow morning',
  offerMonday: 'Monday morning',
  choose: 'Choose date and time…',
  chooseTitle: 'Send later',
  field: 'Date and time',
  zone: params('In the time of this device: {zone}'),
  confirm: 'Schedule',
  busy: 'Scheduling',
  noTime: 'Choose a date and a time.',
  tooSoon: 'Choose a time that is at least 2 minutes ahead.',
  tooLate: 'Choose a time within a year.',
  today: params('today {time}'),
  tomorrow: params('tomorrow {time}'),
  onDay: params('{day} {time}'),
});

/** The list of messages that wait for their time. */
export const scheduledWords = words('scheduled', {
  title: 'Scheduled Mail',
  count: count({ one: '{count} scheduled message', other: '{count} scheduled messages' }),
  hint: 'A message that you send for later waits here until its time.',
  selected: 'Selected messages',
  actions: 'Scheduled message',
  back: 'Back to Scheduled',
  loading: 'Loading the message',
  leaves: params('This message will be sent {when}.'),
  leaving: 'This message is being sent.',
  gone: 'This message has left.',
  edit: 'Edit',
  sendNow: 'Send now',
  changeTime: 'Change time',
  cancel: 'Cancel sending',
  cancelled: count({ one: 'Saved in Drafts.', other: '{count} messages saved in Drafts.' }),
  stopped: count({ one: 'The message will not be sent.', other: '{count} messages will not be sent.' }),
  noLonger: count({
    one: '{count} message had left already, or was changed elsewhere.',
    other: '{count} messages had left already, or were changed elsewhere.',
  }),
  sent: 'Message sent',
  changed: params('Scheduled for {when}'),
  sendNowTitle: count({ one: 'Send this message now?', other: 'Send {count} messages now?' }),
  sendNowText: 'It leaves at once and cannot be taken back.',
});
