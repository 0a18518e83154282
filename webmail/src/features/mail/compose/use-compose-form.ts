import type { AttachmentDto } from '@selvage/core/contracts/mail';
import { useRef, useState } from 'react';
import type { EditorHandle } from '../../../components/editor/Editor.tsx';
import { isBlankHtml, outgoingHtml } from '../../../components/editor/editor-html.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { sortFiles } from './attachments.ts';
import type { ComposeRequest } from './compose-store.ts';
import { forwardPrefill, type Prefill, quotedHtml, replyPrefill, startOfText } from './quoting.ts';
import { addRecipients } from './recipients.ts';
import { blankLine } from './signature.ts';
import { type ChosenSignature, defaultSignature, useSignature } from './use-signature.ts';

export type ListName = 'to' | 'cc' | 'bcc';
export const listNames: ListName[] = ['to', 'cc', 'bcc'];

export interface FinishedMessage extends Prefill {
  files: File[];
  withoutAttachments: string[];
  /** Nobody wrote a word; the signature alone is none. */
  isTextEmpty: boolean;
}

function prefillFor(request: ComposeRequest, own: string, chosen: ChosenSignature | null): Prefill {
  const signature = chosen ? quotedHtml(chosen.signature_body) : '';
  switch (request.kind) {
    case 'new':
      return { to: [], cc: [], bcc: [], subject: '', body: startOfText(signature) };
    case 'reply':
      return replyPrefill(request.email, own, request.isToAll, signature);
    case 'forward':
      return forwardPrefill(request.email, signature);
    case 'draft':
      return {
        to: request.draft.recipient_emails_to,
        cc: request.draft.recipient_emails_cc,
        bcc: request.draft.recipient_emails_bcc,
        subject: request.draft.subject,
        body: quotedHtml(request.draft.body) || blankLine,
      };
  }
}

/** Everything the dialog holds about the message being written. */
export function useComposeForm(request: ComposeRequest) {
  const user = useCurrentUser();
  // as they are when the dialog opens: what is being written must not change under the writer's hands
  const [firstSignature] = useState(() => defaultSignature(request, user));
  const [initial] = useState(() => prefillFor(request, user?.email ?? '', firstSignature));
  const [lists, setLists] = useState<Record<ListName, string[]>>(initial);
  const [typed, setTyped] = useState<Record<ListName, string>>({ to: '', cc: '', bcc: '' });
  const [subject, setSubject] = useState(initial.subject);
  const attached = useAttachedFiles(request);
  const editor = useRef<EditorHandle | null>(null);
  /** What the editor made of the first text, to tell later whether anybody wrote. */
  const startHtml = useRef('');
  const signature = useSignature(firstSignature, editor);

  const handleEditor = (handle: EditorHandle): void => {
    editor.current = handle;
    startHtml.current = handle.html();
  };

  const hasNewText = (): boolean => (editor.current?.html() ?? '') !== startHtml.current;

  const chooseSignature = (next: ChosenSignature | null): void => {
    const wasTouched = hasNewText();
    signature.choose(next);
    // choosing is not writing
    if (!wasTouched) startHtml.current = editor.current?.html() ?? '';
  };

  /** The message as it stands; an address that was typed but not confirmed counts. */
  const finish = (): FinishedMessage => {
    const pick = (name: ListName): string[] => addRecipients(lists[name], typed[name]).addresses;
    const body = outgoingHtml(editor.current?.html() ?? '');
    return {
      to: pick('to'),
      cc: pick('cc'),
      bcc: pick('bcc'),
      subject: subject.trim(),
      body: isBlankHtml(body) ? '' : body,
      files: attached.files,
      withoutAttachments: attached.withoutAttachments,
      isTextEmpty: isBlankHtml(body) || (request.kind === 'new' && !hasNewText()),
    };
  };

  const firstUnfinished = (): string | null =>
    listNames.map((name) => addRecipients([], typed[name]).problem).find((problem) => problem !== null) ?? null;

  const isTouched = (): boolean => {
    const hasNewPeople = listNames.some((name) => typed[name] !== '' || lists[name].join() !== initial[name].join());
    const isKept = request.kind === 'draft' && !isBlankHtml(initial.body);
    return hasNewPeople || hasNewText() || isKept || subject !== initial.subject || attached.files.length > 0;
  };

  const clearAll = (): void => {
    setLists({ to: [], cc: [], bcc: [] });
    setTyped({ to: '', cc: '', bcc: '' });
    setSubject('');
    attached.clear();
    editor.current?.clear();
    signature.forget();
  };

  return {
    initialHtml: initial.body,
    lists,
    setList: (name: ListName, addresses: string[]) => setLists((old) => ({ ...old, [name]: addresses })),
    typed,
    setTyped: (name: ListName, text: string) => setTyped((old) => ({ ...old, [name]: text })),
    subject,
    setSubject,
    attached,
    handleEditor,
    signature: signature.chosen,
    chooseSignature,
    focusText: () => editor.current?.focus(),
    finish,
    firstUnfinished,
    isTouched,
    clearAll,
  };
}

/** Files of the message: those chosen here, and those the server takes over from the original of a forward or from the draft. */
function useAttachedFiles(request: ComposeRequest) {
  const [files, setFiles] = useState<File[]>([]);
  const [problems, setProblems] = useState<string[]>([]);
  const [dropped, setDropped] = useState<string[]>([]);
  const all = carriedBy(request);
  const carried = all.filter((file) => !dropped.includes(file._id));

  return {
    files,
    problems,
    carried,
    withoutAttachments: dropped,
    add: (chosen: File[]) => {
      const { accepted, problems: found } = sortFiles(chosen, {
        files: files.length,
        bytes: sizeOf([...files, ...carried]),
      });
      setFiles((old) => [...old, ...accepted]);
      setProblems(found);
    },
    remove: (file: File) => setFiles((old) => old.filter((other) => other !== file)),
    drop: (id: string) => setDropped((old) => [...old, id]),
    forgetProblems: () => setProblems([]),
    clear: () => {
      setFiles([]);
      setProblems([]);
      setDropped(all.map((file) => file._id));
    },
  };
}

function sizeOf(files: { size: number }[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function carriedBy(request: ComposeRequest): AttachmentDto[] {
  if (request.kind === 'draft') return request.draft.attachments;
  return request.kind === 'forward' ? request.email.attachments.filter((file) => file.showData) : [];
}
