import { words } from '../lib/i18n.ts';

/** The built-in modules: the rows of the permission matrix. Added ones are shown by their names. */
export const modelWords = words('models', {
  home: 'Home',
  clients: 'Clients',
  client: 'Client',
  company: 'Company',
  domain: 'Domain',
  role: 'Role',
  user: 'User',
  module: 'Module',
  permission: 'Permission',
  inbox: 'Inbox',
  starred: 'Starred',
  sent: 'Sent',
  archive: 'Archive',
  draft: 'Draft',
  trash: 'Trash',
  backup: 'Backup',
  accountsettings: 'Account settings',
  profile: 'Profile',
});
