import type { EmailRowDto } from '@selvage/core/contracts/email';
import { screen, waitFor } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenForShortcuts } from '../../hooks/use-shortcuts.ts';
import { storeTokens } from '../../lib/session.ts';
import { serveList } from '../../test/list-server.ts';
import { pending, show } from '../../test/render.tsx';
import FolderPage from './FolderPage.tsx';
import { aloneQuery, emailQuery, wholeConversationQuery } from './queries.ts';
import { pendingStatus } from './use-change-status.ts';

const mayEdit = { view: true, add: true, edit: true, delete: true };
const mayView = { ...mayEdit, edit: false };
/** A person who may change what the inbox lists, and only look at other folders. */
const person = {
  _id: '7',
  permissions: [
    { model: 'inbox', ...mayEdit },
    { model: 'starred', ...mayView },
    { model: 'archive', ...mayView },
  ],
};

function starred(id: string, subject: string, flags: Partial<EmailRowDto> = {}): EmailRowDto {
  return {
    _id: id,
    subject,
    sender_name: 'Ana',
    sender_email: 'ana@x.test',
    from: 'Ana <ana@x.test>',
    recipient_emails_to: [],
    recipient_emails_cc: [],
    recipient_emails_bcc: [],
    recipients_count: 0,
    createdAt: '2026-11-21T12:00:00.000Z',
    isForwarded: false,
    read_status: true,
    star_status: true,
    archive_status: false,
    trash_status: false,
    junk_status: false,
    snoozed_status: false,
    snoozed_until: null,
    returned_at: null,
    placement: null,
    labels: [],
    own_folder: null,
    delete_status: false,
    send_status: false,
    received_status: true,
    body: '',
    attachment_count: 0,
    delivery_state: null,
    ...flags,
  };
}

const messages = [
  starred('1', 'Wool'),
  starred('2', 'Linen'),
  starred('3', 'Silk', { archive_status: true }),
  starred('4', 'Hemp', { archive_status: true }),
];
let rows = messages;
/** The bodies of the changes that the server was asked for. */
let changes: unknown[] = [];

function signIn(sub: string): void {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub }))}.x`, refreshToken: sub, expires_in: 900 });
}

beforeAll(listenForShortcuts);
beforeEach(() => {
  changes = [];
  rows = messages;
  signIn(person._id);
  serveList(() => rows);
  const answerList = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.endsWith('/user/info')) return Response.json({ success: true, data: person });
    if (!url.endsWith('/mail/status_change')) return await answerList(url, init);
    changes.push(JSON.parse(String(init.body)));
    return Response.json({ success: true, message: '', data: {} });
  });
});

/** Shows the starred messages and ticks some of them. */
async function choose(...subjects: string[]) {
  const { person: reader } = show(<FolderPage />, '/dashboard/starred');
  // The star of a message can be pressed once the permissions have come
  const star = await screen.findByRole<HTMLButtonElement>('button', { name: 'Remove star from Wool' });
  await waitFor(() => expect(star.disabled).toBe(false));
  for (const subject of subjects) await reader.click(screen.getByRole('checkbox', { name: `Select ${subject}` }));
  return reader;
}

describe('a change of ticked messages of which the person may not change all', () => {
  it('says how many it has changed, by button', async () => {
    const reader = await choose('Wool', 'Linen', 'Silk');
    await reader.click(screen.getByRole('button', { name: 'Mark as unread' }));
    expect(await screen.findByText('Marked as unread: 2 messages')).toBeTruthy();
    await waitFor(() => expect(changes).toEqual([{ email_id: ['1', '2'], read_status: false }]));
  });

  it('says how many it has changed, by key', async () => {
    const reader = await choose('Wool', 'Silk', 'Hemp');
    await reader.keyboard('#');
    expect(await screen.findByText('Moved to trash')).toBeTruthy();
    await waitFor(() => expect(changes).toEqual([{ email_id: ['1'], trash_status: true }]));
  });

  it('neither says nor changes anything where none is left', async () => {
    const reader = await choose('Silk', 'Hemp');
    expect(screen.queryByRole('button', { name: 'Archive' })).toBeNull();
    await reader.keyboard('e');
    await reader.click(screen.getByRole('checkbox', { name: 'Select Wool' }));
    await reader.keyboard('e');
    expect(await screen.findByText('Archived')).toBeTruthy();
    // Toasts and changes keep their order: those of the first press would be here as well
    expect(screen.getAllByRole('button', { name: 'Undo' })).toHaveLength(1);
    await waitFor(() => expect(changes).toEqual([{ email_id: ['1'], archive_status: true }]));
  });
});

describe('the star of a conversation', () => {
  const thread = (stars: number) => ({ thread: { count: 30, unread: 0, starred: stars, people: [] } });

  it('is put on its newest message alone, as on the open message', async () => {
    rows = [starred('1', 'Wool', { star_status: false, ...thread(0) }), starred('2', 'Linen', { star_status: false })];
    const { person: reader } = show(<FolderPage />, '/dashboard/inbox');
    const star = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add star to Wool' });
    await waitFor(() => expect(star.disabled).toBe(false));
    await reader.click(star);
    await waitFor(() => expect(changes).toEqual([{ email_id: ['1'], star_status: true }]));
    for (const subject of ['Wool', 'Linen']) {
      await reader.click(screen.getByRole('checkbox', { name: `Select ${subject}` }));
    }
    changes = [];
    await reader.click(screen.getByRole('button', { name: 'Add star' }));
    expect(await screen.findByText('Star added: 2 messages')).toBeTruthy();
    await waitFor(() => expect(changes).toEqual([{ email_id: ['1', '2'], star_status: true }]));
  });

  it('is not put on one that has a star, so that Undo takes no star away and leaves none', async () => {
    rows = [starred('1', 'Wool', thread(1)), starred('2', 'Linen', { star_status: false, ...thread(0) })];
    const { person: reader } = show(<FolderPage />, '/dashboard/inbox');
    const star = await screen.findByRole<HTMLButtonElement>('button', { name: 'Add star to Linen' });
    await waitFor(() => expect(star.disabled).toBe(false));
    for (const subject of ['Wool', 'Linen']) {
      await reader.click(screen.getByRole('checkbox', { name: `Select ${subject}` }));
    }
    await reader.click(screen.getByRole('button', { name: 'Add star' }));
    await reader.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(changes).toHaveLength(2));
    expect(changes).toEqual([
      { email_id: ['2'], star_status: true },
      { email_id: ['2'], star_status: false },
    ]);
  });

  it('is taken off all of its messages', async () => {
    rows = [starred('1', 'Wool', thread(2))];
    const { person: reader } = show(<FolderPage />, '/dashboard/inbox');
    const star = await screen.findByRole<HTMLButtonElement>('button', { name: 'Remove star from Wool' });
    await waitFor(() => expect(star.disabled).toBe(false));
    await reader.click(star);
    await waitFor(() => expect(changes).toEqual([{ email_id: ['1'], star_status: false, whole_threads: true }]));
  });
});

it.each([0, 1])(
  'that fails half-way through a long conversation offers Undo for what was changed: toast %i',
  async (at) => {
    rows = [starred('1', 'Wool', { thread: { count: 6000, unread: 0, people: [] } })];
    const others = fetch;
    const more: object[] = [{ touched: ['1', '20'], is_left: true }];
    vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
      const answer = await others(url, init);
      if (!url.endsWith('/mail/status_change') || changes.length > 2) return answer;
      const data = more.pop();
      if (data) return Response.json({ success: true, message: '', data });
      return Response.json({ success: false, message: 'The disk is full.' }, { status: 503 });
    });
    const { person: reader } = show(<FolderPage />, '/dashboard/inbox');
    await reader.click(await screen.findByRole('checkbox', { name: 'Select Wool' }));
    await reader.keyboard('e');
    await screen.findByText(/The disk is full/);
    expect(changes).toHaveLength(2);
    const undo = screen.getAllByRole('button', { name: 'Undo' })[at];
    if (!undo) throw new Error('each toast should offer Undo');
    await reader.click(undo);
    await waitFor(() => expect(changes[2]).toEqual({ email_id: ['1', '20'], archive_status: false }));
  },
);

it('is not made in the name of the next person while it waits for the one before it, nor told to them', async () => {
  const first = pending<void>();
  const others = fetch;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const answer = await others(url, init);
    if (url.endsWith('/mail/status_change')) await first.promise;
    return answer;
  });
  const reader = await choose();
  await reader.click(screen.getByRole('button', { name: 'Remove star from Wool' }));
  await reader.click(screen.getByRole('button', { name: 'Remove star from Linen' }));
  await waitFor(() => expect(changes).toHaveLength(1));
  expect(pendingStatus.over<{ _id: string }>({ _id: '2' })).toMatchObject({ star_status: false });
  signIn('8');
  first.resolve();
  await waitFor(() => expect(pendingStatus.over<{ _id: string }>({ _id: '2' })).toEqual({ _id: '2' }));
  expect(changes).toEqual([{ email_id: ['1'], star_status: false }]);
  expect(screen.queryByText(/session/i)).toBeNull();
});

it.each([
  ['a message', '1'],
  ['another message of its conversation', '2'],
])('reads %s again whose answer was on its way while it was changed', async (_, id) => {
  const answer = pending<Response>();
  const others = fetch;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) =>
    url.includes(`/mail/get/${id}?`) ? await answer.promise : await others(url, init),
  );
  const { person: reader, client } = show(<FolderPage />, '/dashboard/starred');
  const { queryKey, queryFn } = emailQuery(id);
  const opening = client.fetchQuery({ queryKey, queryFn });
  await reader.click(await screen.findByRole('checkbox', { name: 'Select Wool' }));
  await reader.keyboard('e');
  await waitFor(() => expect(changes).toEqual([{ email_id: ['1'], archive_status: true }]));
  await waitFor(() => expect(screen.queryByText('Archived')).toBeTruthy());
  answer.resolve(Response.json({ success: true, data: { ...starred(id, 'Wool'), replies: [], twins: [] } }));
  await opening;
  await waitFor(() => expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true));
});

it('changes a message that a conversation has loaded by itself', async () => {
  const { person: reader, client } = show(<FolderPage />, '/dashboard/starred');
  const { queryKey } = aloneQuery('1');
  client.setQueryData(queryKey, { ...starred('1', 'Wool'), replies: [], twins: [] } as never);
  await reader.click(await screen.findByRole('checkbox', { name: 'Select Wool' }));
  await reader.keyboard('#');
  await waitFor(() => expect(client.getQueryData(queryKey)).toMatchObject({ trash_status: true }));
});

describe('a change of what is loaded', () => {
  const loaded = (id: string, ...others: EmailRowDto[]) =>
    ({ ...starred(id, 'Wool'), replies: others, twins: [] }) as never;

  it('leaves another message outdated that was marked so, and its own as old as it was', async () => {
    const { person: reader, client } = show(<FolderPage />, '/dashboard/starred');
    const [other, own, also] = [emailQuery('1').queryKey, aloneQuery('2').queryKey, emailQuery('2').queryKey];
    client.setQueryData(other, loaded('1'));
    client.setQueryData(own, loaded('2'), { updatedAt: 1000 });
    client.setQueryData(also, loaded('2'));
    await client.invalidateQueries({ queryKey: ['mail', 'detail'] });
    await reader.click(await screen.findByRole('checkbox', { name: 'Select Linen' }));
    await reader.click(screen.getByRole('button', { name: 'Remove star' }));
    await waitFor(() => expect(client.getQueryData(own)).toMatchObject({ star_status: false }));
    expect(client.getQueryState(own)).toMatchObject({ dataUpdatedAt: 1000, isInvalidated: false });
    expect(client.getQueryState(other)?.isInvalidated).toBe(true);
    expect(client.getQueryState(also)).toMatchObject({ isInvalidated: true, data: { star_status: false } });
  });

  it('outdates the other messages of a conversation that it reaches on the server', async () => {
    rows = [starred('1', 'Wool', { thread: { count: 2, unread: 0, people: [] } })];
    const { person: reader, client } = show(<FolderPage />, '/dashboard/inbox');
    const [open, beside, all] = [
      emailQuery('1').queryKey,
      aloneQuery('5').queryKey,
      wholeConversationQuery('5').queryKey,
    ];
    const [apart, same] = [emailQuery('4').queryKey, aloneQuery('6').queryKey];
    const unread = starred('6', 'Wool', { read_status: false });
    client.setQueryData(open, loaded('1', starred('5', 'Wool'), unread));
    client.setQueryData(beside, loaded('5'));
    client.setQueryData(all, loaded('5', starred('1', 'Wool')));
    client.setQueryData(apart, loaded('4'));
    client.setQueryData(same, { ...unread, replies: [], twins: [] } as never);
    await reader.click(await screen.findByRole('checkbox', { name: 'Select Wool' }));
    await reader.click(screen.getByRole('button', { name: 'Mark as unread' }));
    await waitFor(() => expect(client.getQueryData(open)).toMatchObject({ read_status: false }));
    const outdated = [open, beside, all, apart, same].map((key) => client.getQueryState<unknown>(key)?.isInvalidated);
    expect(outdated).toEqual([true, true, true, false, false]);
  });
});
