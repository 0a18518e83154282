import { words } from '../lib/i18n.ts';

/** The dialog before acts that give power over other people's accounts. */
export const confirmWords = words('confirm', {
  title: 'Confirm that it is you',
  text: 'Please confirm that it is you, so that no one can do this with your open session alone. You are not asked again for 15 minutes.',
  submit: 'Confirm',
  busy: 'Checking',
  usePassword: 'Use my password and a code',
});
