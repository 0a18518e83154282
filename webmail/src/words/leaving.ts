import { params, words } from '../lib/i18n.ts';

/**
 * The question before typed work is thrown away. It is part of each first visit, for a line that is
 * down.
 */
export const leavingWords = words('leaving', {
  title: 'Leave without saving?',
  text: params('What you changed in {what} is not saved yet and will be gone.'),
  leave: 'Leave',
  stay: 'Stay',
});
