import { params, words } from '../lib/i18n.ts';

/** Texts about use and limits. */
export const limitWords = words('limits', {
  plan: 'Plan',
  users: 'Users',
  domains: 'Domains',
  storage: 'Storage',
  mailboxes: 'Each mailbox',
  maxUsers: 'Most users',
  maxDomains: 'Most domains',
  storageLimit: 'Storage in GB',
  mailboxLimit: 'Each mailbox in GB',
  mailboxHint: 'For users without a limit of their own.',
  ownLimit: 'Mailbox in GB',
  ownHint: 'Empty for the default of the company.',
  noLimit: 'Empty for no limit.',
  ofLimit: params('{used} of {limit}'),
  unlimited: params('{used}, no limit'),
  upTo: params('Up to {limit}'),
  any: 'No limit',
  near: 'Almost used up',
  reached: 'Limit reached',
  usersFull: params('No further user: the plan of {name} allows {limit}. Your provider can raise the limit.'),
  mailboxUsed: params('{used} of {limit} used'),
  mailboxNear:
    'Your mailbox is almost full. Delete mail, also from the trash, or ask your administrator for more room.',
  mailboxFull:
    'Your mailbox is full: new mail waits at its senders, and you cannot send. Delete mail, also from the trash, or ask your administrator for more room.',
  companyFull:
    'Your company’s storage is full: new mail waits at its senders, and you cannot send. Tell your administrator: your provider can raise the limit.',
});
