import { count, params, words } from '../lib/i18n.ts';

/** An invitation that a message carries. */
export const invitationWords = words('invitation', {
  invitation: 'Invitation',
  update: 'Updated invitation',
  cancelled: 'Cancelled event',
  aboutEvent: 'Message about an event',
  reply: 'Answer to an invitation',
  noTitle: 'Event without a title',
  isCancelled: 'The organiser has called this event off.',
  isDateCancelled: 'The organiser has called off one date of an event that repeats.',
  isCancelledBy: params('{sender} says that this event is called off. That is not the organiser’s address.'),
  isDateCancelledBy: params(
    '{sender} says that one date of this event is called off. That is not the organiser’s address.',
  ),
  notFromThem: params('This came from {sender}, and not from the address of the person who is invited: {address}.'),
  isOneDate: 'This is about one date of an event that repeats.',
  isOutdated: 'You have answered a newer version of this invitation.',
  notFromOrganiser: params('This came from {sender}, and not from the organiser. An answer goes to {organiser}.'),
  when: 'When',
  where: 'Where',
  repeats: 'Repeats',
  organiser: 'Organiser',
  unknownZone: params('{time}, in the time of {zone}'),
  unknownTime: params('{time}, in the organiser’s time'),
  theirTime: params('{time} for the organiser ({zone})'),
  people: count({ one: '{count} person is invited', other: '{count} people are invited' }),
  more: count({ one: 'and {count} more', other: 'and {count} more' }),
  me: 'you',
  optional: 'optional',
  personIs: params('{name} ({facts})'),
  accept: 'Accept',
  tentative: 'Tentative',
  decline: 'Decline',
  answering: 'Your answer',
  addToCalendar: 'Add to calendar',
  sent: params('Your answer was sent to {name}'),
  everyDay: count({ one: 'Every day', other: 'Every {count} days' }),
  everyWeek: count({ one: 'Every week', other: 'Every {count} weeks' }),
  everyMonth: count({ one: 'Every month', other: 'Every {count} months' }),
  everyYear: count({ one: 'Every year', other: 'Every {count} years' }),
  otherwise: 'On its own schedule',
  onDays: params('{every} on {days}'),
  until: params('{every}, until {day}'),
  times: count({ one: '{count} time', other: '{count} times' }),
  joined: params('{every}, {times}'),
});

/** What people have answered. */
export const answerWords = words('answers', {
  'needs-action': 'no answer yet',
  accepted: 'accepted',
  declined: 'declined',
  tentative: 'tentative',
  delegated: 'sends another person',
});

/** What the reader has answered, and what the person has that a message comes from. */
export const answeredWords = words('answered', {
  youAccepted: 'You have accepted.',
  youTentative: 'You have accepted tentatively.',
  youDeclined: 'You have declined.',
  earlierAccepted: 'You had accepted an earlier version. It has changed since.',
  earlierTentative: 'You had accepted an earlier version tentatively. It has changed since.',
  earlierDeclined: 'You had declined an earlier version. It has changed since.',
  theyAccepted: params('{name} has accepted.'),
  theyTentative: params('{name} has accepted tentatively.'),
  theyDeclined: params('{name} has declined.'),
  theyAnswered: params('{name} has answered.'),
});
