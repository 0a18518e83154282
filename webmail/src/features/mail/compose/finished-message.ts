import { type DraftDto, saveDraft } from '@selvage/core/contracts/drafts';
import { replyOrForward, sendEmail } from '@selvage/core/contracts/mail';
import { writeMailbox } from '@selvage/core/mail/mailbox-text';
import { isBlankHtml, outgoingHtml } from '../../../components/editor/editor-html.ts';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import {
  carriedFiles,
  type Composition,
  kindOf,
  type ListName,
  listNames,
  type UnansweredSave,
} from './composition.ts';
import { htmlOfPlain, plainOf } from './plain-text.ts';
import { isAhead } from '../send-times.ts';
import type { Sent } from './send-outcome.ts';
import { addRecipients, readRecipients, type Recipient } from './recipients.ts';
import { textOfHtml } from './text-of-html.ts';
// Loaded with the window, so that sending does not depend on loading another file of the app
import '../../../lib/multipart.ts';

/** The recipients, including an address that was typed but not confirmed yet. */
export function allRecipients({ lists, typed }: Pick<Composition, 'lists' | 'typed'>): Record<ListName, Recipient[]> {
  const all = listNames.map((name) => [name, addRecipients(lists[name], readRecipients(typed[name]))] as const);
  return Object.fromEntries(all) as Record<ListName, Recipient[]>;
}

/** Whether the message has no text. A signature alone does not count as text. */
export function hasNoText(composition: Composition): boolean {
  const { html, isTextChanged, start } = composition;
  const isSignature = kindOf(composition) === 'new' && !isTextChanged && !start.hasText;
  return isSignature || isBlankHtml(outgoingHtml(html));
}

interface Upload {
  /** Files by their ids. */
  files: ReadonlyMap<string, File>;
  /** Called with the share of the bytes that is uploaded, 0 to 1. */
  onProgress: (share: number) => void;
}

/** Sends the message as it stands. */
export function postMessage(composition: Composition, upload: Upload): Promise<Sent> {
  return alsoAlone(composition, (origin) => post(composition, origin, upload));
}

/**
 * The original of an answer may have been deleted for good meanwhile. The answer can be sent
 * without it, and so can a forward without files.
 */
async function alsoAlone<A>(
  { origin, dropped }: Pick<Composition, 'origin' | 'dropped'>,
  call: (origin: Composition['origin']) => Promise<A>,
): Promise<A> {
  try {
    return await call(origin);
  } catch (error) {
    const hasOriginal = origin.kind === 'reply' || origin.kind === 'forward';
    const isGone = error instanceof ApiError && error.code === 'message_not_found';
    if (!hasOriginal || !isGone || carriedFiles({ origin, dropped }).length > 0) throw error;
    return await call({ kind: 'new' });
  }
}

function post(composition: Composition, origin: Composition['origin'], { files: all, onProgress }: Upload) {
  const files = composition.files.flatMap(({ id }) => all.get(id) ?? []);
  const extras = { files, onProgress, as: composition.owner };
  const body = {
    ...bodyOf(composition),
    ...textOf(composition),
    ...(composition.sendAt ? { send_at: composition.sendAt } : {}),
    ...(isAhead(composition.remindAt) ? { remind_at: composition.remindAt } : {}),
  };
  if (origin.kind === 'reply' || origin.kind === 'forward') {
    return api(replyOrForward, { body: { ...body, ...originalOf(origin) }, ...extras });
  }
  const version = origin.kind === 'draft' && origin.version ? { draft_version: origin.version } : {};
  const draft = origin.kind === 'draft' ? { draft_id: origin.draftId, ...version } : {};
  return api(sendEmail, { body: { ...body, ...draft }, ...extras });
}

/**
 * Saves the message as a draft of the server, once under its key. Text in a recipient field that is
 * no recipient yet is kept as one.
 */
export function postDraft(save: UnansweredSave, upload: DraftUpload): Promise<DraftDto> {
  return alsoAlone(save.composition, (origin) => postDraftFrom(save, origin, upload));
}

interface DraftUpload extends Pick<Upload, 'onProgress'> {
  files: readonly File[];
}

function postDraftFrom(
  { key, composition: { typed, ...composition }, isCopy }: UnansweredSave,
  origin: Composition['origin'],
  { files, onProgress }: DraftUpload,
): Promise<DraftDto> {
  const begun = isCopy && origin.kind === 'draft' ? copyOf(origin) : beginningOf(origin);
  const typedNow = listNames.map((name) => [`recipient_emails_${name}`, typed[name].trim()] as const);
  const body = { ...bodyOf(composition), ...draftTextOf(composition), idempotency_key: key };
  for (const [name, text] of typedNow) if (text !== '') body[name] = [...body[name], text];
  return api(saveDraft, {
    body: { ...body, ...begun },
    files: [...files],
    onProgress,
    as: composition.owner,
  });
}

/** The files that the person has removed are named among `without_attachments`. */
function copyOf({ draftId, files }: Extract<Composition['origin'], { kind: 'draft' }>) {
  const seen = files.map(({ _id }) => _id);
  return { copy_of: draftId, with_attachments: seen.length > 0 ? seen : [''] };
}

function beginningOf(origin: Composition['origin']) {
  switch (origin.kind) {
    case 'new':
      return {};
    case 'draft':
      return { draft_id: origin.draftId, ...(origin.version ? { version: origin.version } : {}) };
    default:
      return originalOf(origin);
  }
}

function originalOf(origin: Extract<Composition['origin'], { kind: 'reply' | 'forward' }>) {
  const original = { originalEmailId: origin.emailId, is_reply: origin.kind === 'reply' };
  return origin.kind === 'forward' && origin.withPictures ? { ...original, with_pictures: true } : original;
}

type Text = Pick<Composition, 'html' | 'isPlain'>;

/** Plain text is sent as it is. */
function textOf({ html, isPlain = false }: Text): { body?: string; body_kind?: 'text' } {
  return isPlain ? { body: plainOf(html) ?? textOfHtml(html), body_kind: 'text' } : {};
}

/**
 * A draft keeps plain text as HTML too. Its form shows later that it is plain text, even when it is
 * empty.
 */
function draftTextOf({ html, isPlain = false }: Text): { body?: string } {
  return isPlain ? { body: htmlOfPlain(plainOf(html) ?? textOfHtml(html)) } : {};
}

type Sendable = Pick<Composition, 'key' | 'from' | 'lists' | 'subject' | 'html' | 'dropped'>;

function bodyOf({ key, from, lists, subject, html, dropped }: Sendable) {
  const text = outgoingHtml(html);
  const mailboxes = (list: readonly Recipient[]): string[] => list.map(writeMailbox);
  return {
    idempotency_key: key,
    ...(from ? { from } : {}),
    recipient_emails_to: mailboxes(lists.to),
    recipient_emails_cc: mailboxes(lists.cc),
    recipient_emails_bcc: mailboxes(lists.bcc),
    subject: subject.trim(),
    body: isBlankHtml(text) ? '' : text,
    without_attachments: [...dropped],
  };
}
