import type { LabelDto } from '@selvage/core/contracts/labels';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { undoLatest } from '../../../components/feedback/undo-latest.ts';
import { currentUserQuery } from '../../../lib/current-user.ts';
import { storeTokens } from '../../../lib/session.ts';
import { serveList } from '../../../test/list-server.ts';
import { pending, show } from '../../../test/render.tsx';
import { emailQuery, totalsQuery } from '../queries.ts';
import { pendingStatus } from '../use-change-status.ts';
import LabelMenu from './LabelMenu.tsx';

const person = { _id: '7', permissions: [{ model: 'inbox', view: true, edit: true, create: true, delete: true }] };
const label = (_id: string, name: string): LabelDto => ({ _id, name, colour: 'teal', total: 0, unread: 0 });
const record = {
  _id: '1',
  labels: [],
  own_folder: null,
  received_status: true,
  send_status: false,
  archive_status: false,
  junk_status: false,
  trash_status: false,
  delete_status: false,
  snoozed_status: false,
};

let labels: LabelDto[];
/** How often messages were labelled, and the body of the last such call. */
let changes: number;
let lastChange: unknown;
/** Why the server refuses to label messages; null while it does not. */
let refusal: string | null;
/** What the server had of the message before it was labelled. */
let late: PromiseWithResolvers<unknown>;
/** Calls that make a label; each is answered by the test. */
let creations: ((made: LabelDto) => void)[];
/** The totals, which have the labels, are answered once this is settled. */
let loaded: Promise<void>;

beforeEach(() => {
  labels = [label('3', 'Orders'), label('4', 'Urgent')];
  creations = [];
  loaded = Promise.resolve();
  changes = 0;
  refusal = null;
  late = pending();
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  serveList(() => []);
  const answer = (data: unknown) => Response.json({ success: true, message: '', data });
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    if (url.endsWith('/mail/labels/create')) {
      const { promise, resolve } = pending<LabelDto>();
      creations.push(resolve);
      const made = await promise;
      labels = [...labels, made];
      return answer(made);
    }
    if (url.includes('/mail/get/1?')) return answer(await late.promise);
    if (url.endsWith('/mail/label_change')) {
      changes += 1;
      lastChange = JSON.parse(String(init.body));
      if (refusal !== null) return Response.json({ success: false, message: refusal }, { status: 409 });
      return answer({ changed: 1, touched: [], is_left: false });
    }
    if (url.includes('/user/info')) return answer(person);
    await loaded;
    return answer({ labels, own_folders: [] });
  });
});

async function open({ isLoaded = true, thread = null as object | null } = {}) {
  const target = document.createElement('button');
  document.body.append(target);
  const shown = show(
    <LabelMenu target={target} records={[{ ...record, thread }] as never} ofAll={undefined} onClose={vi.fn()} />,
  );
  shown.client.setQueryData(currentUserQuery.queryKey, person as never);
  if (isLoaded) shown.client.setQueryData(totalsQuery.queryKey, { labels, own_folders: [] } as never);
  const field = await screen.findByRole('searchbox', { name: 'Find a label' });
  return { ...shown, field };
}

const box = (name: string) => screen.findByRole<HTMLInputElement>('checkbox', { name });

it('keeps what is ticked and typed while the server makes a label', async () => {
  const { person: writer, field } = await open();
  await writer.type(field, 'Looms{Enter}');
  await waitFor(() => expect(creations).toHaveLength(1));
  await writer.clear(field);
  await writer.click(await box('Orders'));
  await writer.type(field, 'urg');
  creations[0]?.(label('5', 'Looms'));
  await waitFor(() => expect(labels).toHaveLength(3));
  await waitFor(() => expect(screen.getAllByText(/Label “Looms” added/).length).toBeGreaterThan(0));
  expect(field).toHaveProperty('value', 'urg');
  await writer.clear(field);
  expect((await box('Looms')).checked).toBe(true);
  expect((await box('Orders')).checked).toBe(true);
});

it('makes one label for two presses of Enter', async () => {
  const { person: writer, field } = await open();
  await writer.type(field, 'Looms{Enter}{Enter}');
  await waitFor(() => expect(creations).toHaveLength(1));
  creations[0]?.(label('5', 'Looms'));
  expect((await box('Looms')).checked).toBe(true);
  expect(creations).toHaveLength(1);
  await waitFor(() => expect(field).toHaveProperty('value', ''));
});

it('leaves Enter to an input method', async () => {
  const { person: writer, field } = await open();
  await writer.type(field, 'Orders');
  fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
  // Safari has ended the composition before this key
  fireEvent.keyDown(field, { key: 'Enter', keyCode: 229 });
  expect((await box('Orders')).checked).toBe(false);
  fireEvent.keyDown(field, { key: 'Enter' });
  expect((await box('Orders')).checked).toBe(true);
});

it('reads a message again whose answer was on its way while it was labelled', async () => {
  const { person: reader, client } = await open();
  const { queryKey, queryFn } = emailQuery('1');
  const opening = client.fetchQuery({ queryKey, queryFn });
  await reader.click(await box('Orders'));
  await waitFor(() => expect(changes).toBe(1));
  await waitFor(() => expect(pendingStatus.over<{ _id: string }>({ _id: '1' })).toEqual({ _id: '1' }));
  late.resolve({ ...record, replies: [], twins: [] });
  await opening;
  await waitFor(() => expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true));
});

it('takes the label off again where a failure came after a part of a long conversation had it', async () => {
  const more: object[] = [{ changed: 2, touched: [{ label_id: '3', email_ids: ['1', '20'] }], is_left: true }];
  const others = fetch;
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    const answer = await others(url, init);
    if (!url.endsWith('/mail/label_change') || changes > 2) return answer;
    const data = more.pop();
    if (data) return Response.json({ success: true, message: '', data });
    return Response.json({ success: false, message: 'The disk is full.' }, { status: 503 });
  });
  const { person: reader } = await open({ thread: { count: 300, unread: 0 } });
  await reader.click(await box('Orders'));
  await waitFor(() => expect(changes).toBe(2));
  await screen.findAllByText(/The disk is full/);
  undoLatest();
  await waitFor(() => expect(changes).toBe(3));
  expect(lastChange).toEqual({ email_id: ['1', '20'], add: [], remove: ['3'] });
});

it('shows no tick whose change failed, and the next press tries the same again', async () => {
  refusal = 'The looms stand still.';
  const { person: reader } = await open();
  await reader.click(await box('Urgent'));
  await screen.findAllByText(refusal);
  await waitFor(async () => expect((await box('Urgent')).checked).toBe(false));
  refusal = null;
  await reader.click(await box('Urgent'));
  await waitFor(() => expect(changes).toBe(2));
  expect(lastChange).toEqual({ email_id: ['1'], add: ['4'], remove: [] });
});

it('creates nothing before the labels are loaded, and then does what Enter asked for', async () => {
  const { promise, resolve } = pending<void>();
  loaded = promise;
  const { person: writer, field } = await open({ isLoaded: false });
  await writer.type(field, 'ord{Enter}');
  screen.getByText('Loading your labels');
  expect(screen.queryByRole('button', { name: /Create/ })).toBeNull();
  resolve();
  await waitFor(() => expect(changes).toBe(1));
  expect(lastChange).toEqual({ email_id: ['1'], add: ['3'], remove: [] });
  expect(creations).toEqual([]);
});
