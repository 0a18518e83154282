import type { FilterDto } from '@selvage/core/contracts/mail-rules';
import { act, screen } from '@testing-library/react';
import { afterEach, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { endSession, storeTokens } from '../../lib/session.ts';
import { show } from '../../test/render.tsx';
import FilterDialog from './FilterDialog.tsx';

// The first dialog loads its frame
beforeAll(() => import('../../components/dialog/DialogFrame.tsx'), 60_000);
const signIn = (): void =>
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
beforeEach(signIn);
afterEach(() => vi.unstubAllGlobals());

const filter: FilterDto = {
  _id: '5',
  name: 'Invoices',
  is_on: true,
  conditions: { subject: 'invoice' },
  actions: { move_to: 'archive', forward: true },
  version: 3,
};
const refusal = 'Set up forwarding first.';
const ends = /no longer forwards once you save it/;

/** The server of a person who forwards as `user` says. Answers what the dialog sends to it. */
function serve(user: { forward_to: string | null; forward_confirmed: boolean }, isRefused: boolean): unknown[] {
  const sent: unknown[] = [];
  const answer = (data: unknown) => Response.json({ success: true, message: '', data });
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit = {}) => {
    if (String(url).includes('/filters/count')) return answer({ fitting: 0, seen: 0, until: '0', is_left: false });
    if (method !== 'PUT') return answer(String(url).includes('/user/') ? user : []);
    sent.push(JSON.parse(String(body)));
    if (!isRefused) return answer(filter);
    const errors = { 'actions.forward': refusal };
    return Response.json({ success: false, message: refusal, code: 'invalid', errors }, { status: 422 });
  });
  return sent;
}

it('takes forwarding out of a filter once no address has agreed to it, and says so', async () => {
  const sent = serve({ forward_to: 'ana@remote.test', forward_confirmed: false }, false);
  const onClose = vi.fn();
  const { person } = show(<FilterDialog filter={filter} onClose={onClose} />);
  await screen.findByText(ends);
  await person.type(screen.getByLabelText('Subject contains'), 's');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce(), { timeout: 30_000 });
  expect(sent).toMatchObject([
    { conditions: { subject: 'invoices' }, actions: { move_to: 'archive', forward: false } },
  ]);
});

it('shows why the server refuses to forward', async () => {
  const sent = serve({ forward_to: 'ana@remote.test', forward_confirmed: true }, true);
  const { person } = show(<FilterDialog filter={filter} onClose={() => {}} />);
  await screen.findByRole('checkbox', { name: 'Forward to ana@remote.test' });
  expect(screen.queryByText(ends)).toBeNull();
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(refusal);
  expect(sent).toMatchObject([{ actions: { forward: true } }]);
});

it('begins with what was typed into the same filter when the session ended, and no other filter does', async () => {
  serve({ forward_to: null, forward_confirmed: false }, false);
  const open = (start: Partial<FilterDto>) => show(<FilterDialog start={start} onClose={() => {}} />);
  const likeThis = { conditions: { from: 'news@remote.test' } };
  const { person, unmount } = open(likeThis);
  await person.type(await screen.findByLabelText('Subject contains'), 'Weekly');
  act(() => endSession('Session expired. Please log in again.'));
  unmount();
  signIn();
  const other = open({});
  const subject = async () => (await screen.findByLabelText<HTMLInputElement>('Subject contains')).value;
  expect(await subject()).toBe('');
  other.unmount();
  open(likeThis);
  expect(await subject()).toBe('Weekly');
});

it('shows a folder and a label of the filter whose names could not be loaded, and why', async () => {
  const answer = (data: unknown) => Response.json({ success: true, message: '', data });
  const reason = 'The looms stand still.';
  vi.stubGlobal('fetch', async (url: string) => {
    if (url.includes('/user/')) return answer({ forward_to: null, forward_confirmed: false });
    return Response.json({ success: false, message: reason }, { status: 409 });
  });
  const own: FilterDto = { ...filter, actions: { folder: '8', label: '9' } };
  show(<FilterDialog filter={own} onClose={() => {}} />);
  expect(await screen.findAllByText(reason)).toHaveLength(2);
  const shown = (name: string) => screen.getByLabelText<HTMLSelectElement>(name).selectedOptions[0]?.text;
  expect(shown('Move to')).toBe('One of your folders');
  expect(shown('Put the label on')).toBe('One of your labels');
});

it('writes over no change that was made in another window, and puts this one on top when asked to', async () => {
  const theirs: FilterDto = { ...filter, conditions: { subject: 'bill' }, actions: { star: true }, version: 4 };
  const sent = serve({ forward_to: null, forward_confirmed: false }, false);
  const serving = fetch;
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    const answer = await serving(url, init);
    if (init.method !== 'PUT' || JSON.parse(String(init.body)).version === theirs.version) return answer;
    const conflict = { by: 'Ana', at: '2026-11-29T12:00:00.000Z', fields: ['conditions', 'is_on'], current: theirs };
    return Response.json({ success: false, message: '', code: 'changed_meanwhile', conflict }, { status: 409 });
  });
  const onClose = vi.fn();
  const { person } = show(<FilterDialog filter={filter} onClose={onClose} />);
  await person.type(await screen.findByLabelText('From contains'), 'bea');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findByText(/New messages in which, On or off/);
  await person.click(screen.getByRole('button', { name: 'Keep my changes on top' }));
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(onClose).toHaveBeenCalledOnce(), { timeout: 30_000 });
  expect(sent).toMatchObject([
    { version: 3, conditions: { subject: 'invoice', from: 'bea' } },
    { version: 4, conditions: { subject: 'bill', from: 'bea' }, actions: { star: true } },
  ]);
});
