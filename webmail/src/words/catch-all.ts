import { params, words } from '../lib/i18n.ts';

/** Texts of the catch-alls. */
export const catchAllWords = words('catch-all', {
  title: 'Catch-all',
  links: 'Groups and catch-alls',
  search: 'Search domains',
  company: 'Company Name',
  domain: 'Domain',
  goesTo: 'Mail for unknown names',
  refused: 'Unknown names are refused',
  change: 'Change',
  changeTitle: params('Catch-all of {domain}'),
  kind: 'Mail for names that the domain does not have',
  none: 'Is refused',
  toPerson: 'Goes to a person',
  toGroup: 'Goes to a group',
  person: 'Person',
  group: 'Group',
  findPerson: 'Find a person',
  findGroup: 'Find a group',
  choosePerson: 'Choose a person',
  chooseGroup: 'Choose a group',
  refusedHint: 'A sender who mistypes a name is told at once.',
  junk: 'A catch-all also receives a lot of junk: spam is sent to many names that do not exist. And a sender who mistypes a name is no longer told.',
  ownerNames:
    'Mail for postmaster, abuse, admin, administrator, webmaster and hostmaster goes to the administrators, unless there is such an address: it lets its reader get a certificate for the domain.',
  saved: 'Catch-all saved',
  noDomains: 'No domains found',
  noneFound: 'No domains found matching your search',
  hint: 'A catch-all takes the mail for names that a domain does not have. It can be chosen as soon as there is a domain.',
});
