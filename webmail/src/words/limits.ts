import { params, words } from '../lib/i18n.ts';

/** Texts about use and limits. */
export const limitWords = words('limits', {
  plan: 'Plan',
  users: 'Users',
  domains: 'Domains',
  storage: 'Storage',
  mailboxes: 'Each mailbox',
  maxUsers: 'Maximum users',
  maxDomains: 'Maximum domains',
  storageLimit: 'Storage in GB',
  mailboxLimit: 'Mailbox limit in GB',
  mailboxHint: 'For users without a limit of their own. Empty for the default of this host.',
  ownLimit: 'Mailbox in GB',
  ownHint: 'Empty for the default of the company.',
  noLimit: 'Empty for no limit.',
  ofLimit: params('{used} of {limit}'),
  unlimited: params('{used}, no limit'),
  upTo: params('Up to {limit}'),
  any: 'Default of the host',
  near: 'Almost used up',
  reached: 'Limit reached',
  usersFull: params('No more users can be added: the plan of {name} allows {limit}. The provider can raise the limit.'),
  mailboxUsed: params('{used} of {limit} used'),
  mailboxNear:
    'Your mailbox is almost full. Delete mail and empty the trash, or ask your administrator to raise the limit.',
  mailboxFull:
    'Your mailbox is full: you cannot send, and new mail waits on the sending servers, which try again. Delete mail and empty the trash, or ask your administrator to raise the limit.',
  companyFull:
    'Your company’s storage is full: you cannot send, and new mail waits on the sending servers, which try again. Tell your administrator: the provider can raise the limit.',
});
