import { count, params, words } from '../lib/i18n.ts';

/** Texts about many users at once: what is done to the ticked ones, and the import from a file. */
export const manyUserWords = words('many-users', {
  activate: 'Activate',
  deactivate: 'Deactivate',
  changeRole: 'Change role',
  deactivateTitle: count({ one: 'Deactivate {count} user?', other: 'Deactivate {count} users?' }),
  deactivateText:
    'They are logged out at once and cannot log in. Mail for them waits on the sending servers, which try again.',
  working: 'Working',
  roleTitle: count({ one: 'Change the role of {count} user', other: 'Change the role of {count} users' }),
  role: 'Role',
  chooseRole: 'Choose a role',
  roleRequired: 'Role is required',
  oneCompany:
    'The chosen users are in several companies, and each company has roles of its own. Choose users of one company.',
  roleHint:
    'If the role requires two-factor authentication, people without it have to set it up at once, or when the grace period ends.',
  change: 'Change',
  changing: 'Changing',
  changed: count({ one: '{count} user updated', other: '{count} users updated' }),
  refusedTitle: count({ one: '{count} user was not changed', other: '{count} users were not changed' }),

  import: 'Import',
  importTitle: 'Import users',
  importIntro: params(
    'Choose a CSV file with a line for each user. Its first line names the columns: {columns}. Only First name and Email have to be filled in. A file that Google Workspace or Microsoft 365 exports can be chosen as it is.',
  ),
  template: 'Download a template',
  templateName: 'users-template.csv',
  company: 'Company',
  chooseCompany: 'Choose a company first',
  file: 'CSV file',
  chooseFile: 'Choose a file',
  otherFile: 'Choose another file',
  checking: params('Checking {name}'),
  good: count({ one: '{count} user can be added.', other: '{count} users can be added.' }),
  passwords:
    'Each gets a password that the host makes. You can save the list of them afterwards, and they have to be changed at the first login.',
  guessed: params(
    'The file is not in UTF-8, so its letters are a guess. These were read as: {values}. If they are wrong, save the file as “CSV UTF-8” and choose it again.',
  ),
  leftOut: params('These columns are left out: {columns}.'),
  suspended: count({
    one: '{count} of them is suspended in the system that the file comes from, and is added as inactive: this user cannot log in, and mail for the user waits on the sending servers, which try again. You can activate the user afterwards.',
    other:
      '{count} of them are suspended in the system that the file comes from, and are added as inactive: they cannot log in, and mail for them waits on the sending servers, which try again. You can activate them afterwards.',
  }),
  noUsers: 'The file has no users.',
  unsaved: 'the passwords of the new users',
  bad: count({
    one: 'The file has {count} problem. Nothing is added until it has none.',
    other: 'The file has {count} problems. Nothing is added until it has none.',
  }),
  badCut: params('The first {shown} are listed.'),
  problems: 'Problems of the file',
  line: 'Line',
  column: 'Column',
  problem: 'Problem',
  add: count({ one: 'Add {count} user', other: 'Add {count} users' }),
  addAny: 'Add users',
  adding: 'Adding',
  progress: params('{done} of {people} added'),
  answerLost:
    'No answer came, so the users may have been added already. Add them again within ten minutes: no user is added twice, and you get the passwords.',
  cancel: 'Cancel',
  addedTitle: count({ one: '{count} user was added', other: '{count} users were added' }),
  addedText:
    'Save the list of their addresses and passwords now: the passwords are not shown again. They have to be changed at the first login.',
  save: 'Save addresses and passwords',
  saved: 'Saved. Keep the file where only you can read it.',
  savedName: 'new-users.csv',
  name: 'Name',
  email: 'Email',
  password: 'Password',
  status: 'Status',
  active: 'Active',
  inactive: 'Inactive',
  done: 'Done',
  leaveTitle: 'Close without the passwords?',
  leaveText: 'They are not shown again. You would have to set a new password for each user.',
  closeAnyway: 'Close anyway',
  goBack: 'Go back',
});
