import { fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { pending, show } from '../../../test/render.tsx';
import { movedTo } from './move-calls.ts';
import MoveDialog from './MoveDialog.tsx';
import { moving } from './moving.ts';

afterEach(() => vi.unstubAllGlobals());

/** Opens the dialog. The folder “Looms” is loaded once `loaded` is settled. */
async function open(loaded: Promise<void>) {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const data = { labels: [], own_folders: [{ _id: '8', name: 'Looms' }] };
  const calls: string[] = [];
  vi.stubGlobal('fetch', async (url: string) => {
    calls.push(url);
    await loaded;
    return Response.json({ success: true, message: '', data });
  });
  const onChosen = vi.fn();
  moving.set({ rows: [{ own_folder: null } as never], number: 1, onChosen });
  const { person, client } = show(<MoveDialog />);
  const field = await screen.findByRole('searchbox', { name: 'Find a folder' });
  return { person, client, field, onChosen, calls };
}

it('leaves Enter to an input method', async () => {
  const { person, field, onChosen } = await open(Promise.resolve());
  await person.type(field, 'loo');
  await screen.findByRole('button', { name: 'Looms' });
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  // Safari has ended the composition before this key
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 });
  expect(onChosen).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onChosen).toHaveBeenCalledExactlyOnceWith(movedTo('8'));
});

it('creates nothing before the folders are loaded, and then does what Enter asked for', async () => {
  const { promise, resolve } = pending<void>();
  const { person, field, onChosen, calls } = await open(promise);
  await person.type(field, 'loo{Enter}');
  screen.getByText('Loading your folders');
  expect(screen.queryByRole('button', { name: /Create/ })).toBeNull();
  resolve();
  await waitFor(() => expect(onChosen).toHaveBeenCalledExactlyOnceWith(movedTo('8')));
  expect(calls.filter((url) => url.includes('create'))).toEqual([]);
});

it('forgets an Enter that came before the folders when more is typed', async () => {
  const { promise, resolve } = pending<void>();
  const { person, field, onChosen } = await open(promise);
  await person.type(field, 'loo{Enter}m');
  resolve();
  await screen.findByRole('button', { name: 'Looms' });
  expect(onChosen).not.toHaveBeenCalled();
});

it('stays usable when the folders can’t be loaded again', async () => {
  const { person, client, field } = await open(Promise.resolve());
  await screen.findByRole('button', { name: 'Looms' });
  vi.stubGlobal('fetch', async () => Response.json({ success: false, message: 'away' }, { status: 503 }));
  await client.invalidateQueries();
  await person.type(field, 'Dyes');
  await screen.findByRole('button', { name: 'Create “Dyes” and move' });
  expect(screen.queryByText('away')).toBeNull();
});
