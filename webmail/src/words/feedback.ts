import { params, words } from '../lib/i18n.ts';

/** Texts of what the app itself has to say: loading, failing, being away. */
export const feedbackWords = words('feedback', {
  loading: 'Loading',
  retry: 'Retry',
  reload: 'Reload',
  error: params('Error: {message}'),
  doneUnshown: 'This was done, but the page could not show it.',
  partMissing: 'A part of this screen could not be loaded. What you typed is still here.',
  crashTitle: 'Something went wrong on this page',
  crashText: 'Your mail is safe. Go to another page, or reload this one.',
  chunkTitle: 'This page could not be loaded',
  chunkText: 'Your connection may be down, or a newer version of Selvage is on the server. Reload the page to go on.',
  serverAway: 'The server cannot be reached. We keep trying, and what you have typed stays here.',
  offline: 'You are offline. What you have typed stays here.',
  liveAway: 'New mail may appear late: the live connection is lost. We keep trying.',
  newVersion: 'A new version of Selvage is ready.',
});
