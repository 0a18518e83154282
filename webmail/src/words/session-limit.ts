import { params, words } from '../lib/i18n.ts';

/** The dialog of a login that met the limit of sessions. */
export const sessionLimitWords = words('sessionLimit', {
  title: 'Too many active sessions',
  text: 'You are logged in on as many devices as allowed. Log out of one of them to log in here.',
  session: params('{id} · {ip}'),
  times: params('Logged in {start}, last active {last}'),
  end: 'Log out',
  endNamed: params('Log out {device}, session {id}'),
  endAll: 'Log out all',
  retry: 'Try Login Again',
});
