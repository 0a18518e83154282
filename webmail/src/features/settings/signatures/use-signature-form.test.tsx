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

beforeEach(() => {
  html = '<div>Ana</div>';
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  const isAnswered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  vi.stubGlobal('fetch', async (_url: string, { method }: RequestInit) => {
    if (method === 'PATCH') await isAnswered;
    const data = { ...saved, signature_body: '<div>Ana B</div>', version: 2 };
    return Response.json({ success: true, message: '', data });
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
