import { screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { wordsOf } from '../../lib/i18n.ts';
import { show } from '../../test/render.tsx';
import { setPasswordWords } from '../../words/set-password.ts';
import SetPasswordPage from './SetPasswordPage.tsx';

const over = { success: false, code: 'link_invalid', message: 'This link is not valid any more. Ask for a new one.' };
let status = 400;

beforeEach(() => {
  status = 400;
  vi.stubGlobal('fetch', async () => Response.json(over, { status }));
});

it('says where a new link comes from, also for people without a recovery email', async () => {
  show(<SetPasswordPage />, '/auth/set-password#secret');
  await screen.findByText(over.message);
  await screen.findByText(/If an administrator had it mailed to you, ask them/);
  expect(await screen.findByRole('link', { name: wordsOf(setPasswordWords).askAgain })).toBeTruthy();
});

it('says nothing of a new link while this one could not be checked', async () => {
  status = 503;
  show(<SetPasswordPage />, '/auth/set-password#secret');
  await screen.findByRole('button', { name: wordsOf(setPasswordWords).retry });
  expect(screen.queryByText(/ask them/)).toBeNull();
});
