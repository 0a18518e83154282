import { beforeEach, expect, it } from 'vitest';
import { endSession, storeTokens } from '../../../lib/session.ts';
import { type KeptMessage, keepMessageNow, LAST_MOMENTS } from './kept-messages.ts';
import { startComposition } from './start-composition.ts';

const writer = {
  email: 'ana@a.test',
  aliases: [],
  signature_new_emails_use: null,
  signature_reply_forward_emails_use: null,
};

beforeEach(() => localStorage.clear());

it('a message is kept at once in the last moment of a page, and waits for its writer to log in again', () => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const composition = { ...startComposition({ kind: 'new' }, '7', writer), subject: 'Salaries' };
  const message: KeptMessage = { composition, holder: 'this tab', keptAt: Date.now(), isParked: false };
  void keepMessageNow(message);
  endSession();
  expect(Object.keys(localStorage)).toEqual([`${LAST_MOMENTS}7/${composition.id}`]);
  expect(JSON.parse(localStorage.getItem(`${LAST_MOMENTS}7/${composition.id}`) ?? '')).toMatchObject({
    composition: { subject: 'Salaries', owner: '7' },
    holder: 'this tab',
  });
});
