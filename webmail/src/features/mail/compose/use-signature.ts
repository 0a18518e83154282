import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import type { SignatureDto } from '@selvage/core/contracts/signatures';
import { type RefObject, useState } from 'react';
import type { EditorHandle } from '../../../components/editor/Editor.tsx';
import type { ComposeRequest } from './compose-store.ts';
import { quotedHtml } from './quoting.ts';
import { replaceSignature } from './signature.ts';

export type ChosenSignature = Pick<SignatureDto, '_id' | 'signature_name' | 'signature_body'>;

/** What the person has chosen for mail of this kind. A draft has its own already. */
export function defaultSignature(request: ComposeRequest, user: CurrentUserDto | undefined): ChosenSignature | null {
  if (!user || request.kind === 'draft') return null;
  return request.kind === 'new' ? user.signature_new_emails_use : user.signature_reply_forward_emails_use;
}

/** The signature of the message being written. */
export function useSignature(initial: ChosenSignature | null, editor: RefObject<EditorHandle | null>) {
  const [chosen, setChosen] = useState(initial);
  const choose = (next: ChosenSignature | null): void => {
    editor.current?.change((model, parse) => {
      const [before, after] = [chosen, next].map((one) => (one ? quotedHtml(one.signature_body) : ''));
      replaceSignature(model, parse, { previous: before ?? '', next: after ?? '' });
    });
    setChosen(next);
  };
  return { chosen, choose, forget: () => setChosen(null) };
}
