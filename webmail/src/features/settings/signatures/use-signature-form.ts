import { signatureForm } from '@selvage/core/contracts/signatures';
import DOMPurify from 'dompurify';
import { useRef, useState } from 'react';
import type { EditorHandle } from '../../../components/editor/Editor.tsx';
import { isBlankHtml, outgoingHtml } from '../../../components/editor/editor-html.ts';
import { notify } from '../../../components/feedback/notify.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { problemsOf } from '../../../lib/problems.ts';
import type { SignatureEntry } from './entries.ts';
import { nameProblem } from './NewSignatureDialog.tsx';
import { dropUnsaved, keepUnsaved } from './unsaved.ts';
import { useSaveSignature } from './use-save-signature.ts';

interface Problems {
  name?: string | undefined;
  body?: string | undefined;
}

const EMPTY = '<div><br></div>';

function cleanHtml({ saved, unsaved }: SignatureEntry): string {
  return DOMPurify.sanitize(unsaved?.body ?? saved?.signature_body ?? EMPTY, { USE_PROFILES: { html: true } });
}

/** The form of one signature. What is typed goes to the store of unsaved changes at once, so that no way out loses it. */
export function useSignatureForm(entry: SignatureEntry, others: SignatureEntry[], onCreated: (id: string) => void) {
  const [problems, setProblems] = useState<Problems>({});
  // the editor holds the text; what it says must not come back to it, except when it begins again
  const [start, setStart] = useState(() => ({ version: 0, html: cleanHtml(entry) }));
  const saving = useSaveSignature();
  const editor = useRef<EditorHandle | null>(null);
  const startHtml = useRef<string | null>(null);
  const { key, saved, unsaved } = entry;

  const note = (changes: { name?: string; body?: string | null }): void => {
    const next = { isNew: !saved, name: entry.name, body: unsaved?.body ?? null, ...changes };
    const isAsSaved = saved && next.name === saved.signature_name && next.body === null;
    if (isAsSaved) dropUnsaved(key);
    else keepUnsaved(key, next);
  };

  const handleEditor = (handle: EditorHandle): void => {
    editor.current = handle;
    // of a text that was changed before the screen was left, nobody knows any more how it began
    startHtml.current = unsaved?.body ? null : handle.html();
  };

  const handleChange = (): void => {
    const html = editor.current?.html() ?? '';
    note({ body: html === startHtml.current ? null : outgoingHtml(html) });
    setProblems((old) => ({ ...old, body: undefined }));
  };

  const save = (): void => {
    const name = entry.name.trim();
    const html = editor.current?.html() ?? '';
    const body = outgoingHtml(html);
    const found = problemsOf(signatureForm, { signature_name: name, signature_body: isBlankHtml(body) ? '' : body });
    const wrong = { name: nameProblem(name, others), body: found['signature_body'] };
    setProblems(wrong);
    if (wrong.name || wrong.body || saving.isPending) return;
    saving.mutate(
      { entry, name, body },
      {
        onSuccess: (signature) => {
          startHtml.current = html;
          if (!saved) onCreated(signature._id);
        },
        onError: (error) => setProblems(problemsFrom(error)),
      },
    );
  };

  return {
    problems,
    start,
    isSaving: saving.isPending,
    setName: (name: string) => {
      note({ name });
      setProblems((old) => ({ ...old, name: undefined }));
    },
    handleEditor,
    handleChange,
    save,
    discard: () => {
      dropUnsaved(key);
      setProblems({});
      setStart(({ version }) => ({ version: version + 1, html: cleanHtml({ ...entry, unsaved: null }) }));
    },
  };
}

/** Shows at its field what belongs to a field, and tells the rest. */
function problemsFrom(error: Error): Problems {
  if (!(error instanceof ApiError)) {
    notify.error(new Error('Something went wrong while saving the signature'));
    return {};
  }
  const { signature_name: name, signature_body: body } = error.fields;
  if (!name && !body) notify.error(new Error(error.message || 'Failed to save signature'));
  return { name, body };
}
