import { words } from '../lib/i18n.ts';

/** Names of the pages: titles of the tab, breadcrumbs, labels of the navigation. */
const titles = {
  logIn: 'Log in',
  forgotPassword: 'Forgot your password?',
  setPassword: 'Set a password',
  confirmRecovery: 'Confirm the recovery e-mail',
  confirmForwarding: 'Agree to forwarded mail',
  requiredData: 'Set up your company',
  inbox: 'Inbox',
  starred: 'Starred',
  sent: 'Sent',
  archive: 'Archive',
  trash: 'Trash',
  message: 'Message',
  accountSettings: 'Account settings',
  twoFactor: 'Two-factor authentication',
  profile: 'Profile',
  changePassword: 'Change password',
  home: 'Home',
  clients: 'Clients',
  companies: 'Companies',
  company: 'Company',
  client: 'Client',
  role: 'Role',
  user: 'User',
  permissions: 'Permissions',
  domains: 'Domains',
  domain: 'Domain',
  setupGuide: 'Setup Guide',
  roles: 'Roles',
  users: 'Users',
  groups: 'Groups',
  catchAll: 'Catch-all',
  modules: 'Modules',
  drafts: 'Drafts',
  backup: 'Backup',
  auditLog: 'Audit log',
  domainHealth: 'DNS Health',
};
export type PageTitle = keyof typeof titles;

export const pageWords = words('pages', titles);
