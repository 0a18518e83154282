import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import { movedTo } from './move-calls.ts';
import MoveDialog from './MoveDialog.tsx';
import { moving } from './moving.ts';

afterEach(() => vi.unstubAllGlobals());

it('leaves Enter to an input method', async () => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const data = { labels: [], own_folders: [{ _id: '8', name: 'Looms' }] };
  vi.stubGlobal('fetch', async () => Response.json({ success: true, message: '', data }));
  const onChosen = vi.fn();
  moving.set({ rows: [{ own_folder: null } as never], number: 1, onChosen });
  const { person } = show(<MoveDialog />);
  const field = await screen.findByRole('searchbox', { name: 'Find a folder' });
  await person.type(field, 'loo');
  await screen.findByRole('button', { name: 'Looms' });
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  expect(onChosen).not.toHaveBeenCalled();
  fireEvent.keyDown(field, { key: 'Enter' });
  expect(onChosen).toHaveBeenCalledExactlyOnceWith(movedTo('8'));
});
