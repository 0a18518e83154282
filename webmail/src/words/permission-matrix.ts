import { params, words } from '../lib/i18n.ts';

/** Texts of the permissions of a role or of a person. */
export const matrixWords = words('permission-matrix', {
  title: params('Permissions of {name}'),
  tableLabel: 'Permissions',
  roleOf: params('{role} · {company}'),
  model: 'Module',
  create: 'Create',
  view: 'View',
  edit: 'Edit',
  delete: 'Delete',
  // In the place of a flag that nothing asks for
  notApplicable: 'Not applicable',
  flag: params('{action}: {model}'),
  fromRole: 'From the role',
  own: 'Own',
  ownHint: 'Own permissions replace those of the role, row by row.',
  someLocked: 'You cannot grant greyed-out permissions, or only the provider can.',
  reset: 'Reset to Default',
  resetting: 'Resetting',
  resetText: 'By clicking this button, all permissions will be reset to default.',
  resetTitle: 'Reset all permissions to default?',
  resetQuestion: params('{name} will have the permissions of the role {role} again. Own permissions are removed.'),
  resetDone: 'Permissions reset to default',
  nothingToReset: 'All permissions are those of the role.',
  lockBuiltIn: 'This is a built-in role. Its permissions cannot be changed.',
  lockOwn: 'You cannot change your own permissions.',
  lockOutrankedRole: 'This role may do more than you, so you cannot change it.',
  lockOutrankedPerson: 'This person may do more than you, so you cannot change their permissions.',
  lockDeleted: 'This was deleted. Restore it to change its permissions.',
  lockNotPermitted: 'You may see these permissions, but not change them.',
});
