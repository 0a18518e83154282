import type { EmailDto } from '@selvage/core/contracts/email';
import { atom } from 'nanostores';
import { notify } from '../../../components/feedback/notify.ts';
import { restShortcuts } from '../../../hooks/use-shortcuts.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import type { PreparedMail } from '../../../lib/prepared-mail.ts';
import { mailActionWords } from '../../../words/mail-list.ts';
import { hasAnswerAddress } from '../senders.ts';

/*
 * What the mail screens know of writing: they ask for a message to write, and show how many are
 * unsent. The rest is fetched when it is needed and stands in `ComposeHost`.
 */

/** What a person wants to write. */
export type ComposeRequest =
  | { kind: 'new'; prepared?: PreparedMail }
  /** `isToList`: only to the list that the message came by. */
  | { kind: 'reply'; email: EmailDto; isToAll: boolean; isToList?: boolean }
  | { kind: 'forward'; email: EmailDto }
  /** Each message goes along as a file. */
  | { kind: 'forwardWhole'; messages: readonly WholeMessage[] };

/** A message that is attached as it came. */
export type WholeMessage = Pick<EmailDto, '_id' | 'subject'>;

/** What was asked for and has no window yet, in its order. */
export const composeRequests = atom<readonly ComposeRequest[]>([]);

/**
 * Messages of the signed-in person that were written here, are not open in any tab and were not
 * sent.
 */
export const unsentCount = atom(0);

/** Whether the list of unsent messages is asked for. */
export const isUnsentAsked = atom(false);

let endRest: (() => void) | null = null;

/** The second press of a double click comes this soon. */
export const DOUBLE_MS = 500;
let last: { request: ComposeRequest; at: number } | null = null;

/**
 * Opens a message to write, as soon as the code is there. Pressing twice in that moment asks for it
 * once, and so does a double click.
 */
export function openCompose(request: ComposeRequest): void {
  const isDouble = isDoublePress(request);
  last = { request, at: performance.now() };
  if (isDouble) return;
  // A report may come from no address; its reader must not think that the answer goes back to it
  if (isToNoSender(request)) notify.info(wordsOf(mailActionWords).noAnswerAddress);
  const isAsked = composeRequests.get().some((other) => isSame(other, request));
  if (!isAsked) composeRequests.set([...composeRequests.get(), request]);
  restKeys();
}

/** A window is there, or can't be: the keys of the screen below are alive again. */
export function wakeKeys(): void {
  endRest?.();
  endRest = null;
}

/** What a person types before the window is there must not act on the list below it. */
function restKeys(): void {
  wakeKeys();
  endRest = restShortcuts();
}

/** One more empty window does no harm; the same answer in two windows may be sent twice. */
function isDoublePress(request: ComposeRequest): boolean {
  if (last === null || performance.now() - last.at > DOUBLE_MS) return false;
  if (request.kind === 'new' && request.prepared === undefined) return false;
  return isSame(last.request, request) && isToAll(last.request) === isToAll(request);
}

function isToAll(request: ComposeRequest): boolean {
  return request.kind === 'reply' && request.isToAll;
}

function isToNoSender(request: ComposeRequest): boolean {
  return (
    request.kind === 'reply' && !request.isToList && !request.email.send_status && !hasAnswerAddress(request.email)
  );
}

function isSame(a: ComposeRequest, b: ComposeRequest): boolean {
  if (a.kind === 'new' && b.kind === 'new') return isSamePrepared(a.prepared, b.prepared);
  if (a.kind === 'forwardWhole' && b.kind === 'forwardWhole') return idsOf(a) === idsOf(b);
  if (a.kind === 'new' || b.kind === 'new' || a.kind === 'forwardWhole' || b.kind === 'forwardWhole') return false;
  return a.kind === b.kind && a.email._id === b.email._id;
}

function idsOf({ messages }: { messages: readonly WholeMessage[] }): string {
  return messages.map(({ _id }) => _id).join();
}

function isSamePrepared(a: PreparedMail | undefined, b: PreparedMail | undefined): boolean {
  return a?.text === b?.text && a?.subject === b?.subject && a?.to?.join() === b?.to?.join();
}
