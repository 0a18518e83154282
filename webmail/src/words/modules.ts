import { params, words } from '../lib/i18n.ts';

/** Texts of the modules. */
export const moduleWords = words('modules', {
  title: 'Module Management',
  add: 'Add New Module',
  addButton: '+ Add New Module',
  edit: 'Edit Module',
  update: 'Update',
  updating: 'Updating',
  search: 'Search modules',
  module: 'Modules',
  name: 'Module Name',
  nameHint: 'Letters, digits, underscores and hyphens.',
  date: 'Date',
  builtIn: 'Built in',
  none: 'No modules found',
  noneFound: 'No modules found matching your search',
  hint: 'Each module is a row of every permission matrix.',
  created: 'Module created successfully',
  updated: 'Module updated successfully',
  deleted: 'Module deleted successfully',
  deleteTitle: 'Delete this module?',
  deleteText: params('{name} will be gone from all permissions. This can’t be taken back.'),
});
