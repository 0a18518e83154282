import { type SignatureDto, signatureForm } from '@selvage/core/contracts/signatures';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { EditorHandle } from '../../../components/editor/roosterjs-editor.ts';
import { blankLine, isBlankHtml, outgoingHtml } from '../../../components/editor/editor-html.ts';
import { type Form, useForm } from '../../../hooks/use-form.ts';
import { useWords } from '../../../lib/i18n.ts';
import { sanitizeHtml } from '../../../lib/sanitize.ts';
import { signatureWords } from '../../../words/signatures.ts';
import { checkFreeName, type SignatureEntry } from './entries.ts';
import { dropUnsaved, keepUnsaved, readSaved } from './unsaved.ts';
import { adoptSignature, useSaveSignature } from './use-save-signature.ts';

/** The text is null while it is as it was saved. */
type Values = { signature_name: string; signature_body: string | null };

function recordOf({ signature_name: name, version }: SignatureDto): { values: Values; version: number } {
  return { values: { signature_name: name, signature_body: null }, version };
}

/**
 * What is checked and sent: of a saved signature, what was changed. A new one has the text that is
 * `shown`, which is that of before where a signature was deleted elsewhere.
 */
function bodyOf(
  { signature_name: name, signature_body: body }: Values,
  { saved, shown }: { saved: SignatureDto | null; shown: string },
) {
  const written = body ?? shown;
  const text = isBlankHtml(written) ? '' : written;
  if (!saved) return { signature_name: name.trim(), signature_body: text };
  return {
    ...(name === saved.signature_name ? {} : { signature_name: name.trim() }),
    ...(body === null ? {} : { signature_body: text }),
  };
}

interface SignatureFormState {
  form: Form<Values>;
  /** What the editor begins with; another version begins anew. */
  start: { version: number; html: string };
  handleEditor: (handle: EditorHandle) => void;
  handleChange: () => void;
  discard: () => void;
}

/**
 * The form of one signature. What is typed goes to the store of unsaved changes at once, so that no
 * way out loses it.
 */
export function useSignatureForm(entry: SignatureEntry, others: SignatureEntry[]): SignatureFormState {
  const { key, saved, unsaved } = entry;
  const t = useWords(signatureWords);
  const client = useQueryClient();
  const { save, whatFailed } = useSaveSignature();
  // The editor holds the text. Its own changes must not come back to it as a new beginning
  const [start, setStart] = useState(() => ({ version: 0, html: unsaved?.body ?? savedHtml(saved) }));
  const editor = useRef<EditorHandle | null>(null);
  const startHtml = useRef<string | null>(null);
  const sentHtml = useRef<string | null>(null);
  /** The version that the form has. */
  const known = useRef(saved?.version);
  const beginAgain = (html: string): void => setStart(({ version }) => ({ version: version + 1, html }));

  const sentOf = (values: Values) => bodyOf(values, { saved, shown: outgoingHtml(editor.current?.html() ?? '') });

  const form = useForm<Values, SignatureDto>({
    start: { signature_name: saved?.signature_name ?? '', signature_body: null },
    ...(unsaved ? { kept: { signature_name: unsaved.name, signature_body: unsaved.body } } : {}),
    ...(saved ? { version: saved.version } : {}),
    schema: saved ? signatureForm.partial() : signatureForm,
    toBody: sentOf,
    check: ({ signature_name: name }) => checkFreeName(name, others),
    submit: (values, version) => {
      sentHtml.current = editor.current?.html() ?? null;
      return save({ entry, body: sentOf(values), version });
    },
    afterSave: recordOf,
    onDone: ({ version }) => {
      known.current = version;
      // Not as it is by now: what was typed during the save is not saved
      startHtml.current = sentHtml.current;
    },
    // Read by the form after a failure
    get fallback() {
      return whatFailed();
    },
    fieldLabels: { signature_body: t.text },
    fromConflict: (current) => recordOf(current as SignatureDto),
  });
  const { values, isDirty, isPending } = form;

  // Saved by a form that was left meanwhile: this one goes on from there, as that one would
  useEffect(() => {
    const sent = saved && !isPending && saved.version !== known.current ? readSaved(key, saved.version) : null;
    if (!saved || !sent) return;
    known.current = saved.version;
    if (values.signature_body === sent.body) startHtml.current = editor.current?.html() ?? null;
    form.goOnFrom(recordOf(saved), { signature_name: sent.name, signature_body: sent.body });
  }, [key, saved, isPending, form, values]);

  useEffect(() => {
    if (saved && !isDirty) dropUnsaved(key);
    else keepUnsaved(key, { name: values.signature_name, body: values.signature_body });
  }, [key, saved, isDirty, values]);

  const adopt = (isTextTheirs: boolean): void => {
    const current = form.conflict?.current as SignatureDto | undefined;
    if (!current) return;
    known.current = current.version;
    adoptSignature(client, current);
    if (isTextTheirs) beginAgain(savedHtml(current));
  };
  return {
    form: {
      ...form,
      merge: () => {
        adopt(values.signature_body === null);
        form.merge();
      },
      takeTheirs: () => {
        adopt(true);
        form.takeTheirs();
      },
    },
    start,
    handleEditor: (handle) => {
      editor.current = handle;
      // The beginning of a text that was changed before the screen was left is not known
      startHtml.current = values.signature_body === null ? handle.html() : null;
    },
    handleChange: () => {
      const html = editor.current?.html() ?? '';
      form.set('signature_body', html === startHtml.current ? null : outgoingHtml(html));
    },
    discard: () => {
      form.reset();
      beginAgain(savedHtml(saved));
    },
  };
}

function savedHtml(saved: SignatureDto | null): string {
  return sanitizeHtml(saved?.signature_body ?? blankLine);
}
