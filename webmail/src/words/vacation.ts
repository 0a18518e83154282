import { params, words } from '../lib/i18n.ts';

/** What is answered while a person is away. */
export const vacationWords = words('vacation', {
  title: 'Vacation reply',
  hint: 'Answers new mail while you are away, at most once a week to each sender. Mailing lists, newsletters, automatic messages and junk get no answer.',
  on: 'Answer my mail',
  firstDay: 'First day',
  lastDay: 'Last day',
  dayHint: 'Leave empty for no limit.',
  subject: 'Subject',
  subjectHint: 'Leave empty for “Auto:” and the subject of the message.',
  body: 'Message',
  onlyKnown: 'Answer only people I know',
  onlyKnownHint: 'People of your company, and people you have written to.',
  save: 'Save',
  saving: 'Saving',
  savedOn: 'The vacation reply is on',
  savedOff: 'The vacation reply is off',
  ownZone: params('The days are those of your time zone, {zone}.'),
  storedZone: params(
    'The days are those of {stored}, where they were set. If you change one, they count in your time zone, {own}.',
  ),
  stateOff: 'Off',
  statePlanned: 'Planned',
  stateActive: 'On',
  stateOver: 'Over',
  unsaved: 'the vacation reply',
  banner: 'Your vacation reply is on.',
  bannerUntil: params('Your vacation reply is on until {day}.'),
  turnOff: 'Turn off',
  turningOff: 'Turning off',
  change: 'Change',
});
