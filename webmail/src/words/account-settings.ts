import { count, params, words } from '../lib/i18n.ts';

/** The frame of the account settings. */
export const accountSettingsWords = words('accountSettings', {
  title: 'Account settings',
  general: 'General',
  generalUnsaved: 'General (not saved)',
  security: 'Security',
  filters: 'Filters',
  vacation: 'Vacation reply',
  forwarding: 'Forwarding',
  waitsOne: params(
    'The signature “{name}” is not saved yet. It waits in the settings until you close this tab or log out.',
  ),
  waitsMany: count({
    one: '{count} signature is not saved yet. It waits in the settings until you close this tab or log out.',
    other: '{count} signatures are not saved yet. They wait in the settings until you close this tab or log out.',
  }),
  goBack: 'Go back',
});
