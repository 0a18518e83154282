import { params, words } from '../lib/i18n.ts';

/** Texts that the lists and pages of all records share. */
export const recordWords = words('records', {
  status: 'Status',
  active: 'Active',
  inactive: 'Inactive',
  deleted: 'Deleted',
  view: 'View',
  edit: 'Edit',
  delete: 'Delete',
  restore: 'Restore',
  erase: 'Permanently Delete',
  deleteFailed: 'Soft delete failed',
  restoreFailed: 'Restore failed',
  eraseFailed: 'Permanent delete failed',
  created: 'Created',
  updated: 'Updated',
  company: 'Company',
  nothing: '–',
  goBack: 'Go back',
  eraseText: params('{name} will be gone for good. It can’t be restored.'),
});
