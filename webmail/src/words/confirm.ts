import { words } from '../lib/i18n.ts';

/** The dialog before acts that give power over other people's accounts. */
export const confirmWords = words('confirm', {
  title: 'Confirm that it is you',
  text: 'This takes a fresh proof, so that a stolen session alone is not enough for it. You are not asked again for 15 minutes.',
  submit: 'Confirm',
  busy: 'Checking',
  usePassword: 'Use my password and a code',
});
