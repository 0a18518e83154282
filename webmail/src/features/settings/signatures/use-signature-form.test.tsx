import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import type { SignatureDto } from '@selvage/core/contracts/signatures';
import type { EditorHandle } from '../../../components/editor/roosterjs-editor.ts';
import { storeTokens } from '../../../lib/session.ts';
import { show } from '../../../test/render.tsx';
import { useSignatureForm } from './use-signature-form.ts';

const saved = { _id: '7', signature_name: 'Office', signature_body: '<div>Ana</div>', version: 1 } as SignatureDto;
const entry = { key: '7', name: 'Office', saved, unsaved: null };
/** What stands in the editor. */
let html = '';
const handle = { html: () => html } as EditorHandle;
/** Lets the save be answered. */
let answer: () => void;
/** What the save is answered. */
let outcome: () => Promise<Response>;

const succeed = (): Promise<Response> => {
  const data = { ...saved, signature_body: '<div>Ana B</div>', version: 2 };
  return Promise.resolve(Response.json({ success: true, message: '', data }));
};

beforeEach(() => {
  outcome = succeed;
  html = '<div>Ana</div>';
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal('fetch', async (_url: string, { method }: RequestInit) => {
    if (method !== 'PATCH') return await succeed();
    await isAnswered;
    return await outcome();
  });
});

function type(text: string): void {
  html = text;
  fireEvent.click(screen.getByRole('button', { name: 'Type' }));
}

function Form() {
  const { form, handleEditor, handleChange } = useSignatureForm(entry, []);
  return (
    <>
      <button type="button" onClick={() => handleEditor(handle)}>
        Ready
      </button>
      <button type="button" onClick={() => void form.send()}>
        Save
      </button>
      <button type="button" onClick={handleChange}>
        Type
      </button>
      <p>{form.failure}</p>
      <output>{form.isPending ? 'saving' : form.isDirty ? 'not saved' : 'saved'}</output>
    </>
  );
}

it('knows what was typed during a save as not saved, also when the last key after it is taken back', async () => {
  const { person } = show(<Form />);
  await person.click(screen.getByRole('button', { name: 'Ready' }));
  type('<div>Ana B</div>');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  type('<div>Ana B of the mill</div>');
  answer();
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('not saved'));
  type('<div>Ana B of the mill!</div>');
  type('<div>Ana B of the mill</div>');
  expect(screen.getByRole('status').textContent).toBe('not saved');
  type('<div>Ana B</div>');
  expect(screen.getByRole('status').textContent).toBe('saved');
});

const refusal = (status: number, message: string) => (): Promise<Response> =>
  Promise.resolve(Response.json({ success: false, message, code: 'any' }, { status }));

it.each([
  ['what the server says', refusal(409, 'Too many signatures.'), 'Too many signatures.'],
  ['that it failed, for a server that gives no words for people', refusal(500, 'Oh.'), 'Failed to save signature. Oh.'],
  [
    'that something went wrong, without an answer',
    () => Promise.reject(new TypeError('Failed to fetch')),
    'Something went wrong while saving the signature. The server did not answer. Your change may have been made all the same: check before you try again.',
  ],
])('says %s', async (_what, given, text) => {
  outcome = given;
  answer();
  const { person } = show(<Form />);
  await person.click(screen.getByRole('button', { name: 'Ready' }));
  type('<div>Ana B</div>');
  await person.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText(text)).toBeTruthy();
});
