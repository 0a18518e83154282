import { afterEach, vi } from 'vitest';
import { endSession, storeTokens } from '../lib/session.ts';

afterEach(() => endSession());

/** What the tests need of a person: the parts of a `CurrentUserDto` that the screen looks at. */
interface Caller {
  permissions: { model: string; view?: boolean; create?: boolean; edit?: boolean; delete?: boolean }[];
  company_id?: { _id: string; name: string; is_provider?: boolean } | null;
}

/**
 * Logs a person in until the end of the test. Their `/user/info` is answered; other calls go to the
 * `fetch` of before, such as that of `serveList`.
 */
export function logInAs(caller: Caller): void {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const answerOthers = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) =>
    url.endsWith('/user/info')
      ? Response.json({ success: true, data: { _id: '7', ...caller } })
      : await answerOthers(url, init),
  );
}
