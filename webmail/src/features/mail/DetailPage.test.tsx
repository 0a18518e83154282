import { act, screen, waitFor, within } from '@testing-library/react';
import { Route, Routes } from 'react-router-dom';
import type { UserEvent } from '@testing-library/user-event';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenForShortcuts } from '../../hooks/use-shortcuts.ts';
import { storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import DetailPage from './DetailPage.tsx';

const all = { view: true, create: true, edit: true, delete: true };
const models = ['inbox', 'trash', 'accountsettings'];
const person = { _id: '7', permissions: models.map((model) => ({ model, ...all })) };

function message(_id: string, more: object = {}): object {
  return {
    _id,
    subject: 'Looms',
    sender_name: 'Ana',
    sender_email: 'ana@x.test',
    from: 'Ana <ana@x.test>',
    recipient_emails_to: [],
    recipient_emails_cc: [],
    recipient_emails_bcc: [],
    createdAt: `2026-11-21T12:0${_id}:00.000Z`,
    returned_at: null,
    read_status: true,
    star_status: false,
    archive_status: false,
    trash_status: false,
    junk_status: false,
    delete_status: false,
    snoozed_status: false,
    snoozed_until: null,
    send_status: false,
    received_status: true,
    placement: null,
    labels: [],
    own_folder: null,
    body: 'Of wool',
    sheet: '',
    look: 'plain',
    snippet: `Text ${_id}`,
    doubt: null,
    attachment_count: 0,
    attachments: [],
    deliveries: [],
    warnings: [],
    undo_until: null,
    remind_at: null,
    invitation: null,
    earlier_replies: 0,
    twins: [],
    list_id: null,
    list_post: null,
    ...more,
  };
}

let replies: object[] = [];
/** How the open message differs from the others. */
let flags: object = {};
/** What the server was asked to change. */
let changes: unknown[] = [];

beforeAll(listenForShortcuts);
beforeEach(() => {
  [changes, replies, flags] = [[], [], {}];
  // Every message is near enough to be seen
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(seen: (entries: { isIntersecting: boolean }[]) => void) {
        this.observe = () => seen([{ isIntersecting: true }]);
      }
      observe: () => void;
      disconnect = (): void => undefined;
    },
  );
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: person._id }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (init.method === 'PUT') changes.push(JSON.parse(String(init.body)));
    const id = /\/mail\/get\/(\d)/.exec(url)?.[1];
    const around = url.includes('replies=0') ? [] : replies;
    const data = url.endsWith('/user/info')
      ? person
      : id
        ? message(id, { replies: around, ...(id === '5' && flags) })
        : url.includes('/search?')
          ? { rows: [], total: 0 }
          : [];
    return Response.json({ success: true, message: '', data });
  });
});
afterEach(() => vi.restoreAllMocks());

/** @param from the list that the message is opened from, if it is another one than its folder */
const open = (place = 'inbox', from?: string) =>
  show(
    <Routes>
      <Route path={`/dashboard/${place}/:id`} element={<DetailPage />} />
    </Routes>,
    { pathname: `/dashboard/${place}/5`, state: from === undefined ? null : { from } },
  );

function turn(visibility: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(visibility);
  act(() => void document.dispatchEvent(new Event('visibilitychange')));
}

it('leaves a reply that comes while the page is out of view unread until the person comes back', async () => {
  replies = [message('4')];
  const { client } = open();
  await screen.findByText('Text 4');
  turn('hidden');
  // An older one comes with it, of which the folded line is seen
  replies = [message('3'), message('4'), message('6', { read_status: false })];
  await client.invalidateQueries({ queryKey: ['mail'] });
  await screen.findByText('Text 3');
  expect(changes).toEqual([]);
  turn('visible');
  await waitFor(() => expect(changes).toEqual([{ email_id: ['6'], read_status: true }]));
});

it('marks the copy as read that one got of what one has sent, which is not shown twice', async () => {
  replies = [message('7', { send_status: true, received_status: false })];
  flags = { twins: [message('8', { read_status: false })] };
  open();
  await waitFor(() => expect(changes).toEqual([{ email_id: ['8'], read_status: true }]));
  expect(document.querySelectorAll('[data-message]')).toHaveLength(2);
});

it.each([
  ['that stands alone', [], 0],
  ['that is open since it is the newest', ['4', '7'], 1],
])('keeps what a person types about a message %s when another one comes', async (_which, others, index) => {
  replies = others.map((id) => message(id));
  const { client, person: reader } = open();
  const menus = await waitFor(() => {
    const found = screen.getAllByRole('button', { name: 'More' });
    expect(found).toHaveLength(index + 1);
    return found;
  });
  await reader.click(menus[index]!);
  await reader.click(await screen.findByRole('menuitem', { name: 'Filter messages like this' }));
  const dialog = await screen.findByRole('dialog');
  const subject = within(dialog).getByRole('textbox', { name: /subject/i });
  await reader.type(subject, 'weekly');
  const frame = document.querySelector('iframe');
  replies = [...replies, message('8', { read_status: false })];
  await act(() => client.invalidateQueries({ queryKey: ['mail'] }));
  await waitFor(() => expect(document.querySelectorAll('iframe').length).toBe(index + 2));
  expect(within(dialog).getByRole('textbox', { name: /subject/i })).toHaveProperty('value', 'weekly');
  expect(document.contains(subject)).toBe(true);
  expect(document.querySelector('iframe')).toBe(frame);
});

it('shows a message that stands alone by itself, without what folds and tells the others', async () => {
  open();
  await screen.findByRole('button', { name: 'More' });
  expect(screen.getAllByRole('article')).toHaveLength(1);
  expect(screen.queryByRole('region', { name: 'Conversation' })).toBeNull();
  expect(screen.queryByRole('button', { name: /collapse/i })).toBeNull();
  expect(document.querySelector('[data-message]')).toBeNull();
});

it.each([
  ['/dashboard/search?q=wool', { email_id: ['5'], archive_status: true }],
  ['/dashboard/inbox?page=2', { email_id: ['7'], archive_status: true, whole_threads: true }],
])('archives what its list has as one row: %s', async (from, change) => {
  // The keys rest once another page has come
  window.history.pushState(null, '', '/dashboard/inbox/5');
  replies = [message('7')];
  const { person: reader } = open('inbox', from);
  await screen.findByRole('region', { name: 'Conversation' });
  await reader.keyboard('e');
  await waitFor(() => expect(changes).toEqual([change]));
});

describe('the menu of a message on a phone', () => {
  beforeEach(() => {
    const { matchMedia } = window;
    vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
      Object.assign(matchMedia(media), { matches: media.includes('max-width') }),
    );
  });

  /** The items of the menus of the open message 5, and of message 7 below it. */
  async function itemsOf(reader: UserEvent, which: '5' | '7'): Promise<string[]> {
    const menus = await waitFor(() => {
      const found = screen.getAllByRole('button', { name: 'More' });
      expect(found).toHaveLength(2);
      return found;
    });
    await reader.click(menus[which === '5' ? 0 : 1]!);
    return (await screen.findAllByRole('menuitem')).map(({ textContent }) => textContent ?? '');
  }

  it.each([
    ['5', true],
    ['7', false],
  ] as const)('offers to delete its own message for good, and no other one: %s', async (which, isOffered) => {
    [replies, flags] = [[message('7')], { trash_status: true }];
    const { person: reader } = open('trash');
    expect((await itemsOf(reader, which)).includes('Delete for good')).toBe(isOffered);
  });

  it.each([
    ['starred', undefined],
    ['inbox', '/dashboard/search?q=wool'],
    ['inbox', '/dashboard/label/3?page=2'],
  ])('acts on its own message where the list shows single messages: %s from %s', async (place, from) => {
    replies = [message('7')];
    const { person: reader } = open(place, from);
    expect(await itemsOf(reader, '7')).toContain('Report junk');
    await reader.click(screen.getByRole('menuitem', { name: 'Report junk' }));
    await waitFor(() => expect(changes).toEqual([{ email_id: ['7'], junk_status: true }]));
  });
});
