import { words } from '../lib/i18n.ts';

/** Pages behind mailed links. */
export const linkWords = words('link', {
  overTitle: 'This link cannot be used',
  incomplete: 'The address is not complete. Open the link as it stands in the mail.',
  usedBefore:
    'This link has been used. The answer to your first try was lost, but the try itself was most likely successful.',
  goOn: 'Continue',
});
