import type { EmailRowDto } from '@selvage/core/contracts/email';
import { act as settle, screen, waitFor, within } from '@testing-library/react';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { useSelection } from '../../hooks/use-selection.ts';
import { listenForShortcuts } from '../../hooks/use-shortcuts.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { storeTokens } from '../../lib/session.ts';
import { serveList } from '../../test/list-server.ts';
import { show } from '../../test/render.tsx';
import FolderPage from './FolderPage.tsx';
import MailAround from './MailAround.tsx';
import { mailKeys } from './keys.ts';
import { movedTo } from './own-folders/move-calls.ts';
import { useActOn } from './use-act-on.ts';
import type { StatusPatch } from './use-change-status.ts';
import { useWholeFolder } from './use-whole-folder.ts';

const all = { view: true, edit: true, delete: true };
const person = { _id: '7' };
const ofAll = ['inbox', 'sent', 'archive', 'junk', 'trash'].map((model) => ({ model, ...all }));
let permissions = ofAll;

function message(_id: string, subject: string, flags: Partial<EmailRowDto> = {}): EmailRowDto {
  return {
    _id,
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
    ...flags,
  };
}

const wool = message('1', 'Wool');
const junk = message('2', 'Prize', { junk_status: true });
const trashed = message('3', 'Old', { trash_status: true });
const sent = message('4', 'Mine', { send_status: true, received_status: false });
/** The paths and bodies of the changes that the server was asked for. */
let changes: [path: string, body: unknown][] = [];
let listed: EmailRowDto[] = [];

beforeAll(listenForShortcuts);
beforeEach(() => {
  changes = [];
  permissions = ofAll;
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: person._id }))}.x`, refreshToken: 'x', expires_in: 900 });
  serveList(() => listed);
  const answerList = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.endsWith('/user/info')) return Response.json({ success: true, data: { ...person, permissions } });
    if (url.includes('total')) {
      const totals = { own_folders: [{ _id: '3', name: 'Looms', total: 0, unread: 0 }], labels: [] };
      return Response.json({ success: true, message: '', data: totals });
    }
    if (url.includes('/folder_mark')) {
      return Response.json({ success: true, message: '', data: { until: '9', total: listed.length } });
    }
    if (init.method !== 'PUT') return await answerList(url, init);
    changes.push([url.replace(/^.*\/api\/v1/, ''), JSON.parse(String(init.body))]);
    return Response.json({ success: true, message: '', data: { changed: 1, touched: [], is_left: false } });
  });
});

const noRows: EmailRowDto[] = [];
const keyOf = (row: EmailRowDto): string => row._id;

function Acting({ rows, patch }: { rows: EmailRowDto[]; patch: StatusPatch }) {
  const isKnown = useCurrentUser() !== undefined;
  const selection = useSelection(noRows, keyOf);
  const act = useActOn(selection, useWholeFolder('inbox', selection));
  return isKnown && <button onClick={() => act(rows, patch)}>Act</button>;
}

async function act(rows: EmailRowDto[], patch: StatusPatch): Promise<void> {
  const { person: reader, unmount } = show(<Acting rows={rows} patch={patch} />);
  await reader.click(await screen.findByText('Act'));
  unmount();
}

describe('a change of messages in several folders', () => {
  it('archives those for which it leads to the archive', async () => {
    await act([junk, trashed], { archive_status: true });
    await act([junk, wool, trashed], { archive_status: true });
    await waitFor(() => expect(changes.map(([, body]) => body)).toEqual([{ email_id: ['1'], archive_status: true }]));
  });

  it('reports those as junk that came from others', async () => {
    await act([wool, sent], { junk_status: true });
    await waitFor(() => expect(changes.map(([, body]) => body)).toEqual([{ email_id: ['1'], junk_status: true }]));
  });

  it('moves all of them', async () => {
    await act([wool, junk, trashed, sent], movedTo('9'));
    await waitFor(() => expect(changes).toMatchObject([['/mail/move', { email_id: ['1', '2', '3', '4'] }]]));
  });
});

describe('the list of the trash', () => {
  it('takes messages to the archive, and Undo brings them back', async () => {
    listed = [trashed];
    const { person: reader } = show(<FolderPage />, '/dashboard/trash');
    await reader.click(await screen.findByRole('checkbox', { name: 'Select Old' }));
    await reader.click(await screen.findByRole('button', { name: 'Archive' }));
    await screen.findByText('Archived');
    const flags = { archive_status: false, junk_status: false, trash_status: false };
    const moved = { email_id: ['3'], folder_id: null };
    await waitFor(() => expect(changes).toEqual([['/mail/move', { ...moved, ...flags, archive_status: true }]]));
    changes = [];
    await reader.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(changes).toEqual([['/mail/move', { ...moved, ...flags, trash_status: true }]]));
  });
});

it('offers no move to a person who may not edit the inbox, which the server asks for', async () => {
  listed = [trashed];
  permissions = ofAll.map((one) => (one.model === 'inbox' ? { ...one, edit: false } : one));
  const { person: reader } = show(<FolderPage />, '/dashboard/trash');
  await reader.click(await screen.findByRole('checkbox', { name: 'Select Old' }));
  await screen.findByRole('button', { name: 'Restore' });
  for (const name of ['Archive', 'Move to folder']) expect(screen.queryByRole('button', { name })).toBeNull();
});

describe('the list of junk', () => {
  it('offers no archive, which would change nothing there', async () => {
    listed = [junk];
    const { person: reader } = show(<FolderPage />, '/dashboard/junk');
    await reader.click(await screen.findByRole('checkbox', { name: 'Select Prize' }));
    await screen.findByRole('button', { name: 'Mark as read' });
    await reader.keyboard('e');
    expect(screen.queryByRole('button', { name: /archive/i })).toBeNull();
    expect(screen.queryByText('Archived')).toBeNull();
    expect(changes).toEqual([]);
  });
});

it('asks about all of the folder that was chosen, also when its list changes while a dialog is open', async () => {
  listed = Array.from({ length: 12 }, (_, index) => message(String(index + 1), `M${index + 1}`));
  const { person: reader, client } = show(
    <MailAround>
      <FolderPage />
    </MailAround>,
    '/dashboard/inbox?limit=10',
  );
  await reader.click(await screen.findByRole('checkbox', { name: 'Select all on this page' }));
  await reader.click(await screen.findByRole('button', { name: /^Select all 12/ }));
  // Until they are counted, the button is there and does nothing
  await screen.findByText(/^All 12 conversations in Inbox/);
  await reader.click(await screen.findByRole('button', { name: 'Move to folder' }));
  const dialog = await screen.findByRole('dialog');
  listed = listed.filter(({ _id }) => _id !== '5');
  await settle(() => client.invalidateQueries({ queryKey: mailKeys.lists }));
  await waitFor(() => expect(screen.queryByText('M5')).toBeNull());
  await reader.click(await within(dialog).findByRole('button', { name: 'Looms' }));
  const question = await screen.findByRole('alertdialog');
  expect(question.textContent).toContain('Move all 12 messages to “Looms”?');
  await reader.click(await within(question).findByRole('button', { name: 'Cancel' }));
  expect(changes).toEqual([]);
});
