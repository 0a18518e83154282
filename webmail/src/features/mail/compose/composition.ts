import type { AttachmentDto } from '@selvage/core/contracts/email';
import type { SignatureDto } from '@selvage/core/contracts/signatures';
import type { Recipient } from './recipients.ts';

/*
 * One message that is being written, as plain data: what its window shows, what this browser keeps
 * and what is sent are all made of it. Only its files stand beside it, as they are large and never
 * change.
 */

export type ListName = 'to' | 'cc' | 'bcc';
export const listNames: readonly ListName[] = ['to', 'cc', 'bcc'];
export type Lists = Record<ListName, readonly Recipient[]>;

/** What it answers, forwards or goes on from; `files` are those that the server adds of itself. */
export type Origin =
  | { kind: 'new' }
  | { kind: 'reply'; emailId: string }
  | { kind: 'forward'; emailId: string; files: readonly AttachmentDto[] }
  /** Until it `isRead`, all of it but the subject is on the server alone. */
  | {
      kind: 'draft';
      draftId: string;
      files: readonly AttachmentDto[];
      isRead: boolean;
      /** Of the draft as it was read; unknown until then. */
      version?: number | undefined;
      /** What it was when it became a draft while it was written. */
      begunAs?: 'new' | 'reply' | 'forward' | undefined;
    };

export type ChosenSignature = Pick<SignatureDto, '_id' | 'signature_name' | 'signature_body'>;

/** A file chosen here. */
export interface AttachedFile {
  id: string;
  name: string;
  type: string;
  size: number;
}

export interface Composition {
  /** Under which it is kept in this browser. */
  id: string;
  /** The id of the person that writes it. */
  owner: string;
  /** Names it to the server, which sends it once under this key. */
  key: string;
  origin: Origin;
  /** The chosen address for From; null for the mailbox. */
  from: string | null;
  lists: Lists;
  /** What stands in the fields and is no recipient yet. */
  typed: Record<ListName, string>;
  subject: string;
  /** The editor's HTML, with its own marks. */
  html: string;
  /** It is written as plain text, which `html` holds in the form of `htmlOfPlain`. */
  isPlain?: boolean;
  /** The person wrote in the text, rather than that it is as it began. */
  isTextChanged: boolean;
  signature: ChosenSignature | null;
  files: readonly AttachedFile[];
  /** Ids of files of the origin that were taken away. */
  dropped: readonly string[];
  /**
   * When it is to leave, ISO 8601; null for at once. It is remembered when it was taken back, and
   * counts while it is ahead.
   */
  sendAt?: string | null;
  /** When its sender is reminded unless an answer comes, ISO 8601; counts while it is ahead. */
  remindAt?: string | null;
  /**
   * How it began, to tell whether anything was written. `from` is that of a draft as it was read.
   */
  start: { lists: Lists; subject: string; dropped: number; from?: string | null };
  /**
   * It was sent off and no answer came; `isChanged` when it was written on since. `isTakenBack`
   * when it was sent, and no answer came to its undo.
   */
  attempt: { isChanged: boolean; isTakenBack?: boolean } | null;
  /** It was saved as a draft and no answer has come. */
  unanswered?: UnansweredSave | null;
}

/** A save that the server may have carried out. It is made again as it was, under its key. */
export interface UnansweredSave {
  key: string;
  composition: Composition;
  /** It becomes another draft than the one that it was. */
  isCopy: boolean;
}

/** What a person changes by writing. */
export type Content = Pick<
  Composition,
  | 'from'
  | 'lists'
  | 'typed'
  | 'subject'
  | 'html'
  | 'isPlain'
  | 'isTextChanged'
  | 'signature'
  | 'files'
  | 'dropped'
  | 'remindAt'
>;

/**
 * Whether it holds anything that the person would miss. A message that merely began holds nothing.
 */
export function isWritten(composition: Composition): boolean {
  return composition.origin.kind === 'draft' || isChanged(composition);
}

/** Whether it holds anything that it did not begin with. */
export function isChanged(composition: Composition): boolean {
  const { lists, typed, subject, start, files, dropped } = composition;
  return (
    composition.attempt !== null ||
    composition.isTextChanged ||
    files.length > 0 ||
    dropped.length !== start.dropped ||
    subject.trim() !== start.subject.trim() ||
    listNames.some((name) => typed[name].trim() !== '' || !isSameList(lists[name], start.lists[name]))
  );
}

/**
 * Whether a draft is other than it was read. Another sender or a signature is nothing that was
 * written, but the draft has to be saved with it.
 */
export function isDraftChanged(composition: Composition): boolean {
  const { from, signature, start } = composition;
  const isSentFromOther = start.from !== undefined && from !== start.from;
  return isSentFromOther || signature !== null || isChanged(composition);
}

function isSameList(a: readonly Recipient[], b: readonly Recipient[]): boolean {
  return a.length === b.length && a.every(({ address }, index) => address === b[index]?.address);
}

/** The composition after a change by the person. */
export function changed(composition: Composition, content: Partial<Content>): Composition {
  return { ...composition, ...content, attempt: composition.attempt && { isChanged: true } };
}

/** What the message was when it was begun, though it is a draft by now. */
export function kindOf({ origin }: Pick<Composition, 'origin'>): Origin['kind'] {
  return (origin.kind === 'draft' ? origin.begunAs : undefined) ?? origin.kind;
}

/** An empty message in its place. What it answers stays. */
export function cleared(composition: Composition, html: string): Composition {
  const lists: Lists = { to: [], cc: [], bcc: [] };
  // What a draft had when it was opened is gone only once it is saved without it
  const isSaved = composition.origin.kind === 'draft' && composition.origin.begunAs === undefined;
  const dropped = [...composition.dropped, ...carriedFiles(composition).map((file) => file._id)];
  return {
    ...changed(composition, { lists, typed: { to: '', cc: '', bcc: '' }, subject: '', files: [], dropped, html }),
    isTextChanged: isSaved,
    signature: null,
    start: isSaved ? composition.start : { lists, subject: '', dropped: dropped.length },
  };
}

/** Files that the server adds, without those that were taken away. */
export function carriedFiles({ origin, dropped }: Pick<Composition, 'origin' | 'dropped'>): readonly AttachmentDto[] {
  if (origin.kind !== 'forward' && origin.kind !== 'draft') return [];
  return origin.files.filter((file) => file.showData && !dropped.includes(file._id));
}

/** All people it is for, in the order of the fields. */
export function recipientsOf({ lists }: Pick<Composition, 'lists'>): Recipient[] {
  return listNames.flatMap((name) => [...lists[name]]);
}
