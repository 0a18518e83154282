import { screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { noteChange } from '../../../hooks/use-action.ts';
import { storeTokens } from '../../../lib/session.ts';
import { pending, show } from '../../../test/render.tsx';
import { OwnFolderNavigation } from './OwnFolderNavigation.tsx';

// The first dialog loads its frame
beforeAll(() => import('../../../components/dialog/DialogFrame.tsx'), 60_000);

it('deletes a folder once the server has moved out of it what the person has moved', async () => {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const data = { labels: [], own_folders: [{ _id: '8', name: 'Looms', total: 1, unread: 0 }] };
  const removals: string[] = [];
  vi.stubGlobal('fetch', async (url: string, { method }: RequestInit = {}) => {
    if (method !== 'GET') removals.push(url);
    return Response.json({ success: true, message: '', data });
  });
  const moved = pending<void>();
  void noteChange(moved.promise);
  const { person } = show(<OwnFolderNavigation />);
  await person.click(await screen.findByRole('button', { name: 'More for the folder Looms' }));
  await person.click(await screen.findByRole('menuitem', { name: 'Delete' }));
  await person.click(await screen.findByRole('button', { name: 'Delete' }));
  await screen.findByRole('button', { name: 'Deleting' });
  expect(removals).toEqual([]);
  moved.resolve();
  await waitFor(() => expect(removals).toHaveLength(1));
  await screen.findAllByText('Folder “Looms” deleted. Its messages are moved to the trash.');
});
