import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import { SenderActions } from './SenderActions.tsx';

let bodies: unknown[] = [];
let answers: { changed: number; has_more: boolean }[] = [];

// The dialog and the menu come with much of Fluent, which takes its time
beforeAll(
  () => Promise.all([import('../../components/dialog/DialogFrame.tsx'), import('../../components/list/RowMenu.tsx')]),
  60_000,
);
beforeEach(() => {
  bodies = [];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit = {}) => {
    bodies.push(JSON.parse(String(init.body)));
    const data = { before: '2026-11-25T10:00:00Z', ...(answers.shift() ?? { changed: 0, has_more: false }) };
    return Response.json({ success: true, message: '', data });
  });
});

it('holds all mail of a sender, part by part, once that is confirmed', async () => {
  answers = [
    { changed: 500, has_more: true },
    { changed: 12, has_more: false },
  ];
  const { person } = show(<SenderActions sender="spam@mill.test" />);
  await person.click(screen.getByRole('button', { name: 'All mail of spam@mill.test that waits' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Hold all of this sender…' }));
  await screen.findByText(/^All mail of spam@mill.test that waits is kept back/);
  expect(bodies).toEqual([]);
  await person.click(screen.getByRole('button', { name: 'Hold' }));
  const body = { action: 'hold', sender: 'spam@mill.test' };
  await waitFor(() => expect(bodies).toEqual([body, { ...body, before: '2026-11-25T10:00:00Z' }]));
  expect((await screen.findAllByText('512 messages are held')).length).toBeGreaterThan(0);
  await waitFor(() => expect(screen.queryByText(/^All mail of spam@mill.test/)).toBeNull());
});
