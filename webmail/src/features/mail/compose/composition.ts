import type { AttachmentDto } from '@selvage/core/contracts/email';
import type { SignatureDto } from '@selvage/core/contracts/signatures';
import type { Recipient } from './recipients.ts';

/*
 * One message that is being written, as plain data. Its window, its record in this browser and the
 * sent message are all made from it. Its files are kept apart, because they are large and never
 * change.
 */

export type ListName = 'to' | 'cc' | 'bcc';
export const listNames: readonly ListName[] = ['to', 'cc', 'bcc'];
export type Lists = Record<ListName, readonly Recipient[]>;

/** The message or draft that this one came from. The server adds `files` by itself. */
export type Origin =
  | { kind: 'new' }
  | { kind: 'reply'; emailId: string }
  /** `withPictures`: the pictures of its text are files as well. */
  | { kind: 'forward'; emailId: string; files: readonly AttachmentDto[]; withPictures?: boolean }
  /** Until `isRead`, only the subject is known here, and the server has the rest. */
  | {
      kind: 'draft';
      draftId: string;
      files: readonly AttachmentDto[];
      isRead: boolean;
      /** The version of the draft that was loaded; unknown until then. */
      version?: number | undefined;
      /** The kind of message it was before autosave made it a draft. */
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
  /** The key of its record in this browser. */
  id: string;
  /** The id of the person who writes it. */
  owner: string;
  /** The idempotency key: the server sends at most one message under it. */
  key: string;
  origin: Origin;
  /** The chosen address for From; null for the mailbox. */
  from: string | null;
  lists: Lists;
  /** Text in the recipient fields that is no recipient yet. */
  typed: Record<ListName, string>;
  subject: string;
  /** The editor's HTML, with its own marks. */
  html: string;
  /** The message is plain text, which `html` holds in the form of `htmlOfPlain`. */
  isPlain?: boolean;
  /** The person has changed the text that the message began with. */
  isTextChanged: boolean;
  signature: ChosenSignature | null;
  files: readonly AttachedFile[];
  /** Ids of files of the origin that the person has removed. */
  dropped: readonly string[];
  /**
   * When the message is to be sent, ISO 8601; null for at once. A message that was taken back keeps
   * its time, which counts while it is in the future.
   */
  sendAt?: string | null;
  /**
   * When its sender is reminded unless an answer comes, ISO 8601. It counts while it is in the
   * future.
   */
  remindAt?: string | null;
  /**
   * The state in which it began, to tell whether anything was written. `files` are those that the
   * server adds, where they are known. `from` is the sender of a draft as it was loaded. A new
   * message that `hasText` began with one, as that of a link.
   */
  start: {
    lists: Lists;
    subject: string;
    files?: readonly AttachmentDto[];
    from?: string | null;
    hasText?: boolean;
  };
  /**
   * Set while the outcome of a call is unknown: no answer came to its sending. `isChanged` when the
   * person has changed it since. `isTakenBack` when it was sent and no answer came to its undo.
   */
  attempt: { isChanged: boolean; isTakenBack?: boolean } | null;
  /** A save as a draft to which no answer has come. */
  unanswered?: UnansweredSave | null;
}

/** A save that the server may have carried out. It is repeated unchanged, under its key. */
export interface UnansweredSave {
  key: string;
  composition: Composition;
  /** The save makes a new draft beside the one that the message was. */
  isCopy: boolean;
}

/** The fields that a person changes by writing. */
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
 * Whether the message holds anything that the person would miss. A new message that was not changed
 * holds nothing.
 */
export function isWritten(composition: Composition): boolean {
  return composition.origin.kind === 'draft' || isChanged(composition);
}

/** Whether the message differs from its beginning. */
export function isChanged(composition: Composition): boolean {
  const { lists, typed, subject, start, files } = composition;
  return (
    composition.attempt !== null ||
    composition.isTextChanged ||
    files.length > 0 ||
    !isSameFiles(carriedFiles(composition), start.files ?? firstFiles(composition)) ||
    subject.trim() !== start.subject.trim() ||
    listNames.some((name) => typed[name].trim() !== '' || !isSameList(lists[name], start.lists[name]))
  );
}

/**
 * Whether a draft differs from the one that was loaded. Another sender or signature does not count
 * as written, but the draft has to be saved with it.
 */
export function isDraftChanged(composition: Composition): boolean {
  const { from, signature, start } = composition;
  const isSentFromOther = start.from !== undefined && from !== start.from;
  return isSentFromOther || signature !== null || isChanged(composition);
}

function isSameList(a: readonly Recipient[], b: readonly Recipient[]): boolean {
  return a.length === b.length && a.every(({ address }, index) => address === b[index]?.address);
}

/**
 * The files that a message began with, where its start does not name them: an earlier version has
 * kept it in this browser.
 */
function firstFiles({ origin }: Composition): readonly AttachmentDto[] {
  const hasUploads = origin.kind === 'draft' && origin.begunAs !== undefined;
  return hasUploads ? [] : carriedFiles({ origin, dropped: [] });
}

function isSameFiles(a: readonly AttachmentDto[], b: readonly AttachmentDto[]): boolean {
  return a.length === b.length && a.every((file, index) => isCopy(file, b[index]));
}

/** The copies that a draft has of files have ids of their own. */
export function isCopy(one: AttachmentDto, other: AttachmentDto | undefined): boolean {
  return one.original_name === other?.original_name && one.size === other.size;
}

/** The composition after a change by the person. */
export function changed(composition: Composition, content: Partial<Content>): Composition {
  return { ...composition, ...content, attempt: composition.attempt && { isChanged: true } };
}

/** The kind of message it was at the beginning, even if it is a draft by now. */
export function kindOf({ origin }: Pick<Composition, 'origin'>): Origin['kind'] {
  return (origin.kind === 'draft' ? origin.begunAs : undefined) ?? origin.kind;
}

/** The same message without its content. It still answers the same message. */
export function cleared(composition: Composition, html: string): Composition {
  const lists: Lists = { to: [], cc: [], bcc: [] };
  // The server's draft keeps its content until it is saved as empty, so the start stays the same
  const isSaved = composition.origin.kind === 'draft' && composition.origin.begunAs === undefined;
  const dropped = [...composition.dropped, ...carriedFiles(composition).map((file) => file._id)];
  return {
    ...changed(composition, { lists, typed: { to: '', cc: '', bcc: '' }, subject: '', files: [], dropped, html }),
    isTextChanged: isSaved,
    signature: null,
    start: isSaved ? composition.start : { lists, subject: '', files: [] },
  };
}

/** Files that the server adds, without those that the person has removed. */
export function carriedFiles({ origin, dropped }: Pick<Composition, 'origin' | 'dropped'>): readonly AttachmentDto[] {
  if (origin.kind !== 'forward' && origin.kind !== 'draft') return [];
  return origin.files.filter((file) => file.showData && !dropped.includes(file._id));
}

/** All people it is for, in the order of the fields. */
export function recipientsOf({ lists }: Pick<Composition, 'lists'>): Recipient[] {
  return listNames.flatMap((name) => [...lists[name]]);
}
