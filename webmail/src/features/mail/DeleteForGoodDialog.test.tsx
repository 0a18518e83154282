import { screen } from '@testing-library/react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { noteChange } from '../../hooks/use-action.ts';
import { storeTokens } from '../../lib/session.ts';
import { pending, show } from '../../test/render.tsx';
import DeleteForGoodDialog from './DeleteForGoodDialog.tsx';
import type { Deletable } from './deleting.ts';

/** What the server was asked to change, and what it answers to each call, in their order. */
let bodies: unknown[] = [];
let answers: { changed: number; is_left?: boolean }[] = [];

function signIn(sub: string): void {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub }))}.x`, refreshToken: sub, expires_in: 900 });
}

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../components/dialog/DialogFrame.tsx'), 60_000);
beforeEach(() => {
  bodies = [];
  signIn('7');
  vi.stubGlobal('fetch', async (_url: string, init: RequestInit = {}) => {
    bodies.push(JSON.parse(String(init.body)));
    return Response.json({ success: true, message: '', data: answers.shift() });
  });
});

async function deleteRows(rows: Deletable[]): Promise<void> {
  const { person } = show(<DeleteForGoodDialog rows={rows} onClose={() => undefined} />);
  await person.click(await screen.findByRole('button', { name: 'Delete for good' }));
}

const thread = (count: number) => ({ count, unread: 0, starred: 0, people: [] });

it('names the folder of the messages, so that those restored meanwhile stay, and says so', async () => {
  answers = [{ changed: 1 }, { changed: 0 }];
  await deleteRows([
    { _id: '1', trash_status: true, junk_status: false },
    { _id: '2', trash_status: false, junk_status: true },
    { _id: '3', trash_status: true, junk_status: true },
  ]);
  await screen.findAllByText('Deleted for good: 1 of 3 messages. The others have left the folder.');
  expect(bodies).toEqual([
    { email_id: ['1', '3'], from: 'trash', delete_status: true, whole_threads: false },
    { email_id: ['2'], from: 'junk', delete_status: true, whole_threads: false },
  ]);
});

it('deletes conversations part by part', async () => {
  answers = [
    { changed: 2, is_left: true },
    { changed: 1, is_left: false },
  ];
  await deleteRows([{ _id: '1', trash_status: true, junk_status: false, thread: thread(3) }]);
  await screen.findAllByText('Deleted for good: 3 messages');
  const body = { email_id: ['1'], from: 'trash', delete_status: true, whole_threads: true };
  expect(bodies).toEqual([body, body]);
});

it('asks for no further part once another person has logged in', async () => {
  answers = [{ changed: 2, is_left: true }];
  const { fetch } = window;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const answer = await fetch(url, init);
    signIn('8');
    return answer;
  });
  await deleteRows([{ _id: '1', trash_status: true, junk_status: false, thread: thread(3) }]);
  await screen.findByText(/session/i);
  expect(bodies).toHaveLength(1);
});

it('says that nothing was deleted where all was restored meanwhile', async () => {
  answers = [{ changed: 0 }];
  await deleteRows([{ _id: '1', trash_status: true, junk_status: false }]);
  await screen.findAllByText('Nothing was deleted: what you chose has left the folder.');
});

it('deletes once the server has what the person did before', async () => {
  answers = [{ changed: 1 }];
  const restored = pending<void>();
  void noteChange(restored.promise);
  await deleteRows([{ _id: '1', trash_status: true, junk_status: false, thread: thread(2) }]);
  await screen.findByText('Working');
  expect(bodies).toEqual([]);
  restored.resolve();
  await screen.findAllByText('Deleted for good: 1 of 2 messages. The others have left the folder.');
});
