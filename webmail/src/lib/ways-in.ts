import { listAppPasswords } from '@selvage/core/contracts/account';
import { listPasskeys } from '@selvage/core/contracts/two-factor';
import { queryOptions } from '@tanstack/react-query';
import { lastUseWords } from '../words/last-use.ts';
import { api } from './api.ts';
import { fullDate } from './format.ts';
import { wordsOf } from './i18n.ts';

/*
 * What logs the person in besides their password. The account settings edit it, and a change of the
 * password can end it. The keys begin as those of the other lists of an account, which are
 * refreshed together.
 */

export const appPasswordsQuery = queryOptions({
  queryKey: ['account', 'app-passwords'],
  queryFn: ({ signal }) => api(listAppPasswords, { signal }),
});

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) => api(listPasskeys, { signal }),
});

/** When one of them was used last (ISO 8601, null for never), and from which address, in words. */
export function lastUse(when: string | null, ip: string | null = null): string {
  const t = wordsOf(lastUseWords);
  if (!when) return t.neverUsed;
  const time = fullDate(when);
  return ip ? t.lastUsedFrom({ time, ip }) : t.lastUsed({ time });
}
