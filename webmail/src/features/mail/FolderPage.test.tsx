import type { EmailRowDto } from '@selvage/core/contracts/email';
import { act, screen, waitFor, within } from '@testing-library/react';
import { Link } from 'react-router-dom';
import { beforeAll, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { listenForShortcuts, useShortcuts } from '../../hooks/use-shortcuts.ts';
import { storeTokens } from '../../lib/session.ts';
import { serveList } from '../../test/list-server.ts';
import { show } from '../../test/render.tsx';
import FolderPage, { FolderList } from './FolderPage.tsx';
import { type Pane, PaneContext } from './pane.ts';

const person = { _id: '7', permissions: [{ model: 'inbox', view: true, add: true, edit: true, delete: true }] };

const PAGE = 5;
/** What the inbox has, the newest first. */
let inbox: EmailRowDto[] = [];

/** A message that came in this minute of an hour. */
function message(minute: number): EmailRowDto {
  return {
    _id: String(minute),
    subject: `Letter ${minute}`,
    sender_name: 'Ana',
    sender_email: 'ana@x.test',
    from: 'Ana <ana@x.test>',
    recipient_emails_to: [],
    recipient_emails_cc: [],
    recipient_emails_bcc: [],
    recipients_count: 0,
    createdAt: `2026-11-21T12:${String(minute).padStart(2, '0')}:00.000Z`,
    isForwarded: false,
    read_status: true,
    star_status: false,
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
  };
}

/** The counts of the folders, as far as the page needs them. */
const totals = () => ({ inbox: { total: inbox.length, unread: 0 }, labels: [], own_folders: [] });

/** Messages from one minute down to another. */
const messages = (newest: number, oldest: number): EmailRowDto[] =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => message(newest - index));

const subjects = (newest: number, oldest: number): string[] => messages(newest, oldest).map(({ subject }) => subject);

/** The subjects of the rows, in their order. */
function shown(): string[] {
  const list = screen.getByRole('list', { name: 'Messages' });
  const ticks = within(list).getAllByRole<HTMLInputElement>('checkbox');
  return ticks.map((tick) => (tick.getAttribute('aria-label') ?? '').replace('Select ', ''));
}

const waiting = () => screen.queryByRole('button', { name: /new message/i });

beforeAll(listenForShortcuts);
beforeEach(() => {
  inbox = messages(20, 1);
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: '7', expires_in: 900 });
  serveList(() => inbox);
  const answerList = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.endsWith('/user/info')) return Response.json({ success: true, data: person });
    if (url.endsWith('/mail/totals')) return Response.json({ success: true, data: totals() });
    if (!url.endsWith('/mail/status_change')) return await answerList(url, init);
    const { email_id: ids } = JSON.parse(String(init.body)) as { email_id: string[] };
    inbox = inbox.filter(({ _id }) => !ids.includes(_id));
    return Response.json({ success: true, message: '', data: {} });
  });
});

/** Shows a page of the inbox, and ticks one of its messages. */
async function open(page: number, ticked: string) {
  const { person: reader, client } = show(<FolderPage />, `/dashboard/inbox?page=${page}&limit=${PAGE}`);
  await reader.click(await screen.findByRole('checkbox', { name: `Select ${ticked}` }));
  const arrive = async (newest: number): Promise<void> => {
    inbox = [...messages(newest, Number(inbox[0]?._id) + 1), ...inbox];
    await act(() => client.invalidateQueries({ queryKey: ['mail', 'list'] }));
    await screen.findAllByText(new RegExp(` of ${inbox.length}$`));
  };
  /** Ends the person's work in the list: nothing is ticked, and the pointer is elsewhere. */
  const leave = async (): Promise<void> => {
    await reader.click(screen.getByRole('checkbox', { name: `Select ${ticked}` }));
    await reader.hover(screen.getByRole('heading', { level: 1 }));
  };
  return { reader, arrive, leave };
}

it('keeps the rows in place while some are ticked, and counts the new messages', async () => {
  const { arrive, leave } = await open(1, 'Letter 18');
  await arrive(22);
  expect(shown()).toEqual(subjects(20, 16));
  expect(waiting()?.textContent).toBe('2 new messages');
  await leave();
  await waitFor(() => expect(shown()).toEqual(subjects(22, 18)));
});

it('keeps them on later pages too, where the first row of a page is no new message', async () => {
  const { arrive, leave } = await open(2, 'Letter 11');
  await arrive(22);
  expect(shown()).toEqual(subjects(15, 11));
  expect(waiting()).toBeNull();
  await leave();
  await waitFor(() => expect(shown()).toEqual(subjects(17, 13)));
});

it('takes the rows of another page for no earlier state of this one', async () => {
  const { reader } = await open(2, 'Letter 11');
  await reader.keyboard('gp');
  await screen.findByRole('checkbox', { name: 'Select Letter 20' });
  expect(shown()).toEqual(subjects(20, 16));
  expect(waiting()).toBeNull();
});

it('begins another label without ticks, although its messages may have that label as well', async () => {
  const marked = { ...message(1), labels: ['3', '4'] };
  inbox = [marked];
  const { person: reader } = show(
    <>
      <FolderPage />
      <Link to="/dashboard/label/4">Invoices</Link>
    </>,
    '/dashboard/label/3',
  );
  const tick = () => screen.findByRole<HTMLInputElement>('checkbox', { name: 'Select Letter 1' });
  await reader.click(await tick());
  inbox = [{ ...message(2), labels: ['4'] }, marked];
  await reader.click(screen.getByRole('link', { name: 'Invoices' }));
  await screen.findByRole('checkbox', { name: 'Select Letter 2' });
  expect((await tick()).checked).toBe(false);
});

it('counts a message that was moved away once, while new ones wait', async () => {
  const { reader, arrive } = await open(1, 'Letter 18');
  await arrive(22);
  await reader.keyboard('e');
  await screen.findByText('Archived');
  // Nothing is ticked any more, but the pointer is still over the rows
  await arrive(23);
  expect(waiting()?.textContent).toBe('3 new messages');
  expect(shown()).toEqual(['Letter 20', 'Letter 19', 'Letter 17', 'Letter 16']);
});

/** What a message does by keys that is open beside the list, and was there before the rows. */
function OpenMessage({ onKey }: { onKey: (key: string) => void }) {
  useShortcuts({ e: () => onKey('e'), j: () => onKey('j') });
  return null;
}

it('leaves the keys of the message that is open beside it to that message', async () => {
  const keys: string[] = [];
  const pane: Pane = { place: 'right', listAddress: '/dashboard/inbox', openId: '99', part: 'list' };
  const { person: reader } = show(
    <PaneContext value={pane}>
      <OpenMessage onKey={(key) => keys.push(key)} />
      <FolderList />
    </PaneContext>,
    '/dashboard/inbox',
  );
  await screen.findByRole('checkbox', { name: 'Select Letter 20' });
  await reader.keyboard('je');
  expect(keys).toEqual(['j', 'e']);
  // A key that the message does not have is the list's
  await reader.keyboard('*a');
  await screen.findByRole('checkbox', { name: 'Select Letter 20', checked: true });
});

it('loads the rows again when the counts tell of a change that was not announced', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { client } = show(<FolderPage />, `/dashboard/inbox?limit=${PAGE}`);
  await screen.findByRole('checkbox', { name: 'Select Letter 20' });
  await waitFor(() => expect(client.getQueryData(['mail', 'totals'])).toMatchObject({ inbox: { total: 20 } }));
  inbox = messages(21, 1);
  // As the counts are asked for once a minute
  vi.setSystemTime(Date.now() + 60_000);
  await act(() => client.invalidateQueries({ queryKey: ['mail', 'totals'] }));
  await screen.findByRole('checkbox', { name: 'Select Letter 21' });
});
