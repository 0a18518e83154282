import { act, screen, waitFor } from '@testing-library/react';
import { StrictMode, useState } from 'react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { notify } from '../../components/feedback/notify.ts';
import { changesMade, noteChange } from '../../hooks/use-action.ts';
import { storeTokens } from '../../lib/session.ts';
import { unsavedWork } from '../../lib/unsaved-work.ts';
import { serveList } from '../../test/list-server.ts';
import { pending, show } from '../../test/render.tsx';
import { PaneDivider } from './PaneDivider.tsx';
import WholeFolderDialog from './WholeFolderDialog.tsx';

interface Call {
  url: string;
  body: unknown;
}

let calls: Call[] = [];
/** What the server answers to each part of the change, in their order. */
let parts: (() => Promise<Response>)[] = [];
/** What other calls are answered. */
const answers: Record<string, object> = {};

const partOf = (touched: string[], seen: number, until: string, isLeft: boolean) => () =>
  Promise.resolve(Response.json({ success: true, message: '', data: { touched, seen, until, is_left: isLeft } }));

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../components/dialog/DialogFrame.tsx'), 60_000);
function signIn(sub: string): void {
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub }))}.x`, refreshToken: sub, expires_in: 900 });
}

beforeEach(() => {
  calls = [];
  signIn('7');
  serveList(() => []);
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    calls.push({ url: url.replace(/^.*\/api\/v1/, ''), body: JSON.parse(String(init.body)) });
    if (url.endsWith('/mail/folder_status')) return await (parts.shift() ?? partOf([], 0, '0', false))();
    const data = answers[url.replace(/^.*\/api\/v1/, '')] ?? { changed: 1, touched: [], is_left: false };
    return Response.json({ success: true, message: '', data });
  });
});

function ask(total: number, patch: Parameters<typeof WholeFolderDialog>[0]['patch']) {
  const [onCancel, onDone] = [vi.fn(), vi.fn()];
  const choice = { folder: 'inbox' as const, until: '900', total };
  const shown = show(<WholeFolderDialog choice={choice} patch={patch} onCancel={onCancel} onDone={onDone} />);
  return { ...shown, onCancel, onDone };
}

/** A page that the person leaves while the change is under way. */
function Leaving() {
  const [hasLeft, setLeft] = useState(false);
  const choice = { folder: 'inbox' as const, until: '900', total: 9000 };
  return (
    <StrictMode>
      <button onClick={() => setLeft(true)}>Leave</button>
      {!hasLeft && (
        <WholeFolderDialog
          choice={choice}
          patch={{ trash_status: true }}
          onCancel={() => undefined}
          onDone={() => undefined}
        />
      )}
    </StrictMode>
  );
}

it('goes on part by part until all is done, and Undo names what was changed', async () => {
  parts = [partOf(['5', '4'], 500, '400', true), partOf(['1'], 3, '1', false)];
  const { person, onDone } = ask(503, { archive_status: true });
  await person.click(await screen.findByRole('button', { name: 'Archive' }));
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(calls.map(({ body }) => body)).toEqual([
    { folder: 'inbox', until: '900', archive_status: true },
    { folder: 'inbox', until: '400', archive_status: true },
  ]);
  expect((await screen.findAllByText('Archived: 3 messages')).length).toBeGreaterThan(0);
  await person.click(await screen.findByText('Undo'));
  await waitFor(() => expect(calls[2]?.body).toEqual({ email_id: ['5', '4', '1'], archive_status: false }));
});

it('waits for what the person did before, and changes nothing when they stop it meanwhile', async () => {
  const before = pending<void>();
  void noteChange(before.promise);
  const { person, onCancel, onDone } = ask(503, { delete_status: true });
  await person.click(await screen.findByRole('button', { name: 'Delete for good' }));
  await person.click(await screen.findByRole('button', { name: 'Stop' }));
  before.resolve();
  await waitFor(() => expect(onCancel).toHaveBeenCalledOnce());
  expect(calls).toEqual([]);
  expect(onDone).not.toHaveBeenCalled();
});

it('moves messages, and Undo moves each back to where it was', async () => {
  const from = { folder_id: null, archive_status: true, junk_status: false, trash_status: false };
  const other = { ...from, folder_id: '8' };
  const touched = [
    { from, email_ids: ['5', '4'] },
    { from: other, email_ids: ['1'] },
  ];
  answers['/mail/folder_move'] = { touched, seen: 3, until: '1', is_left: false };
  const { person, onDone } = ask(3, {
    own_folder: '9',
    archive_status: false,
    junk_status: false,
    trash_status: false,
  });
  await person.click(await screen.findByRole('button', { name: 'Move' }));
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  await person.click(await screen.findByText('Undo'));
  await waitFor(() => expect(calls).toHaveLength(3));
  expect(calls.map(({ url, body }) => [url, body])).toEqual([
    ['/mail/folder_move', { folder: 'inbox', until: '900', folder_id: '9' }],
    ['/mail/move', { email_id: ['5', '4'], ...from }],
    ['/mail/move', { email_id: ['1'], ...other }],
  ]);
});

it('offers Undo again after a failure, for what is not taken back yet', async () => {
  const ids = Array.from({ length: 1200 }, (_, index) => String(index));
  parts = [partOf(ids, 1200, '1', false)];
  const { person } = ask(1200, { archive_status: true });
  await person.click(await screen.findByRole('button', { name: 'Archive' }));
  const undo = await screen.findByText('Undo');
  const others = fetch;
  const busy = pending<Response>();
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    const answer = await others(url, init);
    return calls.length === 3 ? await busy.promise : answer;
  });
  await person.click(undo);
  const ended = vi.fn();
  const waiting = changesMade().then(ended);
  await waitFor(() => expect(calls).toHaveLength(3));
  // Without this page, the rest would never be taken back
  expect(unsavedWork()).toHaveLength(1);
  // Nor may the trash be emptied, for one, before the rest is out of it
  expect(ended).not.toHaveBeenCalled();
  busy.resolve(Response.json({ success: false, message: 'Try later', code: 'too_busy' }, { status: 500 }));
  await screen.findAllByText('Try later');
  expect(unsavedWork()).toHaveLength(0);
  await waiting;
  await person.click(await screen.findByText('Undo'));
  await screen.findAllByText('Put back: 1,200 messages');
  const back = calls.slice(1).map(({ body }) => (body as { email_id: string[] }).email_id);
  expect(back).toEqual([ids.slice(0, 500), ids.slice(500, 1000), ids.slice(500, 1000), ids.slice(1000)]);
  expect(calls.at(-1)?.body).toMatchObject({ archive_status: false });
});

it('takes nothing back in the name of the next person, and tells them nothing', async () => {
  parts = [partOf(['5'], 1, '1', false)];
  const { person } = ask(1, { archive_status: true });
  await person.click(await screen.findByRole('button', { name: 'Archive' }));
  const undo = await screen.findByText('Undo');
  signIn('8');
  await person.click(undo);
  await waitFor(() => expect(unsavedWork()).toHaveLength(0));
  // Toasts are shown in the order in which they come
  act(() => notify.success('Afterwards'));
  await screen.findAllByText('Afterwards');
  expect(screen.queryByText(/session/i)).toBeNull();
  expect(calls).toHaveLength(1);
});

it('can be stopped, and says how far it came', async () => {
  const gate = pending<Response>();
  parts = [() => gate.promise, partOf(['1'], 1, '1', false)];
  const { person, onDone } = ask(9000, { trash_status: true });
  await person.click(await screen.findByRole('button', { name: 'Delete' }));
  await person.click(await screen.findByRole('button', { name: 'Stop' }));
  gate.resolve(await partOf(['9', '8'], 2000, '700', true)());
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(calls).toHaveLength(1);
  expect((await screen.findAllByText('Stopped after 2 messages')).length).toBeGreaterThan(0);
});

it.each([
  ['is done', () => partOf(['7'], 500, '200', true)()],
  ['fails', () => Promise.resolve(Response.json({ success: false, message: 'Try later' }, { status: 500 }))],
])('stops when its page has gone and the part under way %s, and says how far it came', async (_how, answer) => {
  const gate = pending<Response>();
  parts = [partOf(['9', '8'], 500, '400', true), () => gate.promise];
  const { person } = show(<Leaving />);
  await person.click(await screen.findByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(calls).toHaveLength(2));
  act(() => screen.getByText('Leave').click());
  expect(screen.queryByRole('alertdialog')).toBeNull();
  gate.resolve(await answer());
  expect((await screen.findAllByText(/^Stopped after [23] messages$/)).length).toBeGreaterThan(0);
  expect(screen.getByText('Undo')).toBeTruthy();
  expect(calls).toHaveLength(2);
});

it('says where it failed, keeps what was done, and goes on from there', async () => {
  const failure = () =>
    Promise.resolve(Response.json({ success: false, message: 'Try later', code: 'too_busy' }, { status: 500 }));
  parts = [partOf(['9'], 500, '400', true), failure, partOf(['1'], 10, '1', false)];
  const { person, onDone } = ask(510, { read_status: true });
  await person.click(await screen.findByRole('button', { name: 'Mark as read' }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.getByText('500 of 510 done')).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(calls.at(-1)?.body).toEqual({ folder: 'inbox', until: '400', read_status: true });
});

it('goes on after a part that failed while it was being stopped', async () => {
  const gate = pending<Response>();
  parts = [partOf(['9'], 500, '400', true), () => gate.promise, partOf(['1'], 10, '1', false)];
  const { person, onDone } = ask(510, { read_status: true });
  await person.click(await screen.findByRole('button', { name: 'Mark as read' }));
  await screen.findByText('500 of 510 done');
  await person.click(screen.getByRole('button', { name: 'Stop' }));
  gate.resolve(Response.json({ success: false, message: 'Try later', code: 'too_busy' }, { status: 500 }));
  expect(await screen.findByRole('alert')).toBeTruthy();
  expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Continue' }));
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(calls).toHaveLength(3);
});

it('says before when it can not be taken back', async () => {
  const { person, onCancel } = ask(10_001, { archive_status: true });
  expect(await screen.findByText(/more than 10,000 messages can’t be taken back/)).toBeTruthy();
  await person.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onCancel).toHaveBeenCalledOnce();
  expect(calls).toEqual([]);
});

it('has a divider that keys move within its bounds', async () => {
  const onSettle = vi.fn();
  const { person } = show(<PaneDivider place="right" share={26} onMove={vi.fn()} onSettle={onSettle} />);
  screen.getByRole('separator').focus();
  await person.keyboard('{ArrowLeft}{ArrowRight}{End}{ArrowUp}');
  expect(onSettle.mock.calls).toEqual([[25], [28], [70]]);
});

it('counts one message as one, in the question and afterwards', async () => {
  const label = { _id: '4', name: 'Looms', colour: 'blue' as const };
  answers['/mail/folder_label'] = { touched: ['1'], seen: 1, until: '0', is_left: false };
  const { person } = ask(1, { label, isOn: true });
  await screen.findByText('Put the label “Looms” on 1 message?');
  await person.click(screen.getByRole('button', { name: 'Label all' }));
  expect(await screen.findAllByText('Label “Looms” added: 1 message')).not.toHaveLength(0);
});
