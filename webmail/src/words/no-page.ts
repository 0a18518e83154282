import { words } from '../lib/i18n.ts';

/** What stands instead of a page that a person can't be shown. */
export const noPageWords = words('noPage', {
  back: 'Back',
  forbiddenTitle: 'You may not open this page',
  forbiddenText: 'Your role does not allow it. Ask an administrator of your company.',
  goneTitle: 'This is no longer here',
  goneText: 'It was deleted, or the address is wrong.',
  nothingTitle: 'There is nothing here for you yet',
  nothingText: 'Your role does not open any page. Ask an administrator of your company.',
  toStart: 'Go to Home',
});
