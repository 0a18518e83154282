import { words } from '../lib/i18n.ts';

/** The set-up of a company whose details are missing. */
export const requiredDataWords = words('requiredData', {
  title: 'Your company is not set up yet',
  text: 'The details of your company and the DNS records of its mail domain are still missing. Until the records are in place, mail from outside may not reach you, and what you send may be taken for spam.',
  goOn: 'Continue to mail',
  logout: 'Logout',
});
