import { params, words } from '../lib/i18n.ts';

/** A device in words. */
export const deviceWords = words('device', {
  unknown: 'Unknown device',
  browserOn: params('{browser} on {system}'),
});
