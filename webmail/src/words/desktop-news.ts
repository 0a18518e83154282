import { words } from '../lib/i18n.ts';

/** The setting for notifications on the desktop about new mail. */
export const desktopNewsWords = words('desktop-news', {
  title: 'Notifications',
  hint: 'While you look at something else, your desktop tells you of new mail. This setting is for this browser only.',
  show: 'Show new mail on the desktop',
  refused: 'Your browser does not allow it. You can change that in its settings for this site.',
});
