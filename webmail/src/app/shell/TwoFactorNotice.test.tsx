import { screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { isSettingUpTwoFactor } from '../../lib/duties.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { endSession, storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { shellWords } from '../../words/shell.ts';
import TwoFactorNotice from './TwoFactorNotice.tsx';

const name = wordsOf(shellWords).setUpTwoFactor;

function showTo(permissions: object[]) {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async () => Response.json({ success: true, data: { permissions } }));
  return show(<TwoFactorNotice at="2026-12-24T10:00:00.000Z" />);
}

afterEach(() => {
  isSettingUpTwoFactor.set(false);
  endSession();
});

it('leads to the account settings', async () => {
  showTo([{ model: 'accountsettings', view: true }]);
  expect((await screen.findByRole('link', { name })).getAttribute('href')).toContain('accountsettings');
});

it('opens the setup in place for a person who may not open the account settings', async () => {
  const { person } = showTo([]);
  await person.click(await screen.findByRole('button', { name }));
  expect(isSettingUpTwoFactor.get()).toBe(true);
});
