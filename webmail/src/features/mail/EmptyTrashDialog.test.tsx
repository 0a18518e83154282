import { screen, waitFor } from '@testing-library/react';
import { beforeAll, expect, it, vi } from 'vitest';
import { noteChange } from '../../hooks/use-action.ts';
import { storeTokens } from '../../lib/session.ts';
import { pending, show } from '../../test/render.tsx';
import EmptyTrashDialog from './EmptyTrashDialog.tsx';

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../components/dialog/DialogFrame.tsx'), 60_000);

function signIn(sub: string): void {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub }))}.x`, refreshToken: sub, expires_in: 900 });
}

it('empties the trash as it was when the person was asked, and never in that of the next one', async () => {
  signIn('7');
  const first = pending<void>();
  const bodies: unknown[] = [];
  let marks = 0;
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit = {}) => {
    if (init.method === 'GET') {
      marks += 1;
      return Response.json({ success: true, message: '', data: { until: '9', total: 600, unread: 0 } });
    }
    bodies.push(JSON.parse(String(init.body)));
    await first.promise;
    return Response.json({ success: true, message: '', data: { removed: 500, is_left: true, until: '9' } });
  });
  const { person, client } = show(<EmptyTrashDialog folder="trash" onClose={() => undefined} />);
  await screen.findByText('600 messages will be gone for good.');
  // Mail that comes while the question is shown loads all about mail again
  await client.invalidateQueries({ queryKey: ['mail'] });
  await person.click(await screen.findByRole('button', { name: 'Empty Trash' }));
  await waitFor(() => expect(bodies).toHaveLength(1));
  signIn('8');
  first.resolve();
  await screen.findByText(/session/i);
  expect(bodies).toEqual([{ until: '9' }]);
  expect(marks).toBe(1);
});

it('asks about the trash, and empties it, once the server has what the person did before', async () => {
  signIn('9');
  const [restored, restoredLater] = [pending<void>(), pending<void>()];
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (_url: string, { method = '' }: RequestInit = {}) => {
    asked.push(method);
    const answer = method === 'GET' ? { until: '9', total: 2, unread: 0 } : { removed: 2, is_left: false, until: '9' };
    return Response.json({ success: true, message: '', data: answer });
  });
  void noteChange(restored.promise);
  const { person } = show(<EmptyTrashDialog folder="trash" onClose={() => undefined} />);
  await screen.findByText('All of its messages will be gone for good.');
  expect(asked).toEqual([]);
  restored.resolve();
  await screen.findByText('2 messages will be gone for good.');
  // As by Undo in a toast, which stays above the question
  void noteChange(restoredLater.promise);
  await person.click(await screen.findByRole('button', { name: 'Empty Trash' }));
  await screen.findByText('Working');
  expect(asked).toEqual(['GET']);
  restoredLater.resolve();
  await screen.findAllByText('2 messages deleted for good');
  expect(asked).toEqual(['GET', 'POST']);
});
