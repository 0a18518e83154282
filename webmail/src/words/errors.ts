import { words } from '../lib/i18n.ts';

/**
 * What a failed call says where the server gave no words of its own. The first three are the
 * specification's.
 */
export const errorWords = words('errors', {
  generic: 'An error occurred',
  sessionExpired: 'Session expired. Please log in again.',
  tooManyRetries: 'Too many retries. Please log in again.',
  notRenewed: 'Your session could not be renewed just now. You are still logged in; try again in a moment.',
  unreachable: 'The server could not be reached. Check your connection and try again.',
  timeout: 'The server took too long to answer. Try again.',
  unanswered: 'The server did not answer. Your change may have been made all the same: check before you try again.',
  forbidden: 'You may not do that.',
  gone: 'That no longer exists.',
  tooLarge: 'That is too large. Remove some of the files and try again.',
  internal: 'The server had a problem. Nothing was lost; try again.',
  starting: 'The server is starting or out of reach. Try again in a moment.',
  busy: 'The server is busy or starting. Try again in a moment.',
});
