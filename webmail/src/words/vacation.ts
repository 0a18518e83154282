import { params, words } from '../lib/i18n.ts';

/** What is answered while a person is away. */
export const vacationWords = words('vacation', {
  title: 'Vacation reply',
  hint: 'Answers new mail for you while you are away: each sender once in seven days, never lists, newsletters, programs or junk.',
  on: 'Answer my mail',
  firstDay: 'First day',
  lastDay: 'Last day',
  dayHint: 'Empty: no limit.',
  subject: 'Subject',
  subjectHint: 'Empty: “Auto:” and the subject of the message.',
  body: 'Message',
  save: 'Save',
  saving: 'Saving',
  savedOn: 'The vacation reply is on',
  savedOff: 'The vacation reply is off',
  zone: params('Your time zone is {zone}.'),
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
