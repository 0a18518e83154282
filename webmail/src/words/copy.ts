import { params, words } from '../lib/i18n.ts';

/** The button that copies. */
export const copyWords = words('copy', {
  copy: 'Copy',
  copyNamed: params('Copy {name}'),
  copied: 'Copied',
  copiedNamed: params('Copied {name}'),
  refused: 'The browser did not allow copying. Select the text and copy it.',
});
