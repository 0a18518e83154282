import type { SignatureDto } from '@selvage/core/contracts/signatures';
import { screen, waitFor, within } from '@testing-library/react';
import { createElement, useEffect, useRef } from 'react';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../../lib/session.ts';
import { signaturesQuery } from '../../../lib/signatures.ts';
import { pending, show } from '../../../test/render.tsx';
import { GeneralTab } from './GeneralTab.tsx';
import type { SignatureEditor } from './SignatureEditor.tsx';
import { dropUnsaved, readUnsaved, unsavedNames } from './unsaved.ts';

/** The simulated browser can't lay out rich text: plain text stands for it. */
function PlainText({ initialHtml, onReady, onChange }: Parameters<typeof SignatureEditor>[0]) {
  const ref = useRef<HTMLTextAreaElement>(null);
  const ready = useRef(onReady);
  useEffect(
    () =>
      ready.current({
        html: () => ref.current?.value ?? '',
        focus: () => ref.current?.focus(),
      } as Parameters<typeof onReady>[0]),
    [],
  );
  return createElement('textarea', { ref, 'aria-label': 'Text', defaultValue: initialHtml, onChange });
}
vi.mock('./SignatureEditor.tsx', () => ({ SignatureEditor: PlainText }));

const signatureOf = (_id: string, signature_name: string): SignatureDto => ({
  _id,
  signature_name,
  signature_body: `<div>${signature_name}</div>`,
  version: 1,
  createdAt: '',
  updatedAt: '',
});

const all = { view: true, create: true, edit: true, delete: true };
const writer = { _id: '7', email: 'me@x.test', permissions: [{ model: 'accountsettings', ...all }] };

/** What the server has. */
let saved: SignatureDto[] = [];
/** The bodies of those that it was asked to make. */
let made: Partial<SignatureDto>[] = [];
/** The bodies of the changes that it was asked for. */
let changes: Partial<SignatureDto>[] = [];
/** Hold back the answers to a save and to a look at the list. */
let saving: PromiseWithResolvers<void>;
let listing: Promise<void>;

// The dialog comes with much of Fluent, which takes its time
beforeAll(() => import('../../../components/dialog/DialogFrame.tsx'), 60_000);
beforeEach(() => {
  [saved, made, changes, saving, listing] = [[signatureOf('1', 'Alpha')], [], [], pending(), Promise.resolve()];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string, { method, body }: RequestInit = {}) => {
    const answer = (data: unknown) => Response.json({ success: true, message: '', data });
    if (url.endsWith('/user/info')) return answer(writer);
    if (!url.includes('signature')) return answer([]);
    if (method === 'PATCH' || method === 'PUT') {
      const change = JSON.parse(String(body)) as Partial<SignatureDto>;
      changes.push(change);
      await saving.promise;
      saved = saved.map((one) => (url.endsWith(`/${one._id}`) ? { ...one, ...change, version: one.version + 1 } : one));
      return answer(saved.find(({ _id }) => url.endsWith(`/${_id}`)));
    }
    if (method !== 'POST') {
      await listing;
      return answer(saved);
    }
    made.push(JSON.parse(String(body)));
    await saving.promise;
    const signature = { ...signatureOf(String(made.length + 1), ''), ...made.at(-1) };
    saved = [...saved, signature];
    return answer(signature);
  });
});

const name = () => screen.findByRole<HTMLInputElement>('textbox', { name: /^Name/ });
const text = () => screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });

it('leaves a person who types in a new signature there while it is saved and the list is read again', async () => {
  const { person, client } = show(<GeneralTab />);
  await person.click(await screen.findByRole('button', { name: 'New signature' }));
  const dialog = await screen.findByRole('dialog');
  await person.type(within(dialog).getByRole('textbox'), 'Beta{Enter}');
  await screen.findByDisplayValue('Beta');
  await person.type(await text(), ' hello');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await person.click(await text());
  const list = pending<void>();
  listing = list.promise;
  saving.resolve();
  await waitFor(() => expect(client.getQueryData(signaturesQuery.queryKey)).toHaveLength(2));
  await screen.findAllByText('Signature saved');
  await person.keyboard(' and more');
  list.resolve();
  await waitFor(() => expect(client.isFetching(signaturesQuery)).toBe(0));
  await person.keyboard(' words');
  expect((await name()).value).toBe('Beta');
  expect((await text()).value).toMatch(/hello and more words$/);
  expect(document.activeElement).toBe(await text());
  expect(readUnsaved('1')).toBeUndefined();
  // What was typed since is a change of it, and it is saved once
  expect(screen.getByRole('button', { name: 'Save' }).getAttribute('aria-disabled')).not.toBe('true');
  expect(made).toHaveLength(1);
  expect(made[0]?.signature_body).toMatch(/hello$/);
  dropUnsaved('new-1');
});

it('shows what was written in a signature that was deleted elsewhere as a new one, which can be saved', async () => {
  saving.resolve();
  const { person, client } = show(<GeneralTab />);
  await person.type(await name(), ' and more');
  saved = [];
  await client.invalidateQueries(signaturesQuery);
  expect((await name()).value).toBe('Alpha and more');
  expect(document.activeElement).toBe(await name());
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await screen.findAllByText('Signature saved');
  expect(made).toEqual([{ signature_name: 'Alpha and more', signature_body: '<div>Alpha</div>' }]);
  expect(unsavedNames()).toEqual([]);
});

/** Saves a change of Alpha, and looks at Beta and back before the answer comes. */
async function leaveDuringSave() {
  saved = [signatureOf('8', 'Alpha'), signatureOf('9', 'Beta')];
  const shown = show(<GeneralTab />);
  const { person } = shown;
  const choose = (which: string) => person.click(screen.getByRole('button', { name: new RegExp(which) }));
  await person.type(await text(), ' hello');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await choose('^Beta');
  await screen.findByDisplayValue('Beta');
  await choose('^Alpha');
  await screen.findByDisplayValue('Alpha');
  return { ...shown, choose };
}

it('knows a signature as saved that was left while it was saved, and shown again before the answer', async () => {
  const { choose } = await leaveDuringSave();
  expect((await text()).value).toMatch(/hello$/);
  saving.resolve();
  await screen.findAllByText('Signature saved');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Save' }).ariaDisabled).toBe('true'));
  expect(unsavedNames()).toEqual([]);
  expect(screen.queryByText('Not saved')).toBeNull();
  await choose('^Beta');
  await choose('^Alpha');
  expect((await text()).value).toMatch(/hello$/);
  expect(unsavedNames()).toEqual([]);
});

it('saves what was typed after coming back as a change of what was saved meanwhile', async () => {
  const { person } = await leaveDuringSave();
  await person.type(await text(), ' and more');
  saving.resolve();
  await screen.findAllByText('Signature saved');
  expect(unsavedNames()).toEqual(['Alpha']);
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(unsavedNames()).toEqual([]));
  expect(changes.map(({ version }) => version)).toEqual([1, 2]);
  expect(changes[1]?.signature_body).toMatch(/hello and more$/);
});
