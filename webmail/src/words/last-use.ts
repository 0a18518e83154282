import { params, words } from '../lib/i18n.ts';

/** When a password of a mail program, or a passkey, let the person in last. */
export const lastUseWords = words('last-use', {
  lastUsed: params('last used {time}'),
  lastUsedFrom: params('last used {time} from {ip}'),
  neverUsed: 'never used',
});
