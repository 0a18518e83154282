import type { EmailDto } from '@selvage/core/contracts/email';
import { atom } from 'nanostores';
import { notify } from '../../../components/feedback/notify.ts';
import { restShortcuts } from '../../../hooks/use-shortcuts.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import type { PreparedMail } from '../../../lib/prepared-mail.ts';
import { mailActionWords } from '../../../words/mail-list.ts';
import { hasAnswerAddress } from '../senders.ts';

/*
 * The part of writing that the mail screens need: they open a message to write, and show how many
 * are unsent. `ComposeHost` loads the rest when it is needed.
 */

/** What a person wants to write. */
export type ComposeRequest =
  | { kind: 'new'; prepared?: PreparedMail }
  /** `isToList`: only to the mailing list that the message came by. */
  | { kind: 'reply'; email: EmailDto; isToAll: boolean; isToList?: boolean }
  | { kind: 'forward'; email: EmailDto }
  /** Each message is attached as a file. */
  | { kind: 'forwardWhole'; messages: readonly WholeMessage[] };

/** A message that is attached as it came. */
export type WholeMessage = Pick<EmailDto, '_id' | 'subject'>;

/** Requests that have no window yet, in their order. */
export const composeRequests = atom<readonly ComposeRequest[]>([]);

/** How many unsent messages of the logged-in person this browser has that are open in no tab. */
export const unsentCount = atom(0);

/** Whether the person has asked for the list of unsent messages. */
export const isUnsentAsked = atom(false);

let endRest: (() => void) | null = null;

/** The longest time between the two presses of a double click. */
export const DOUBLE_MS = 500;
let last: { request: ComposeRequest; at: number } | null = null;

/**
 * Opens a message to write, as soon as the code is loaded. A double click, or a second press until
 * then, opens no second window.
 */
export function openCompose(request: ComposeRequest): void {
  const isDouble = isDoublePress(request);
  last = { request, at: performance.now() };
  if (isDouble) return;
  // A delivery report may have no sender address. Its reader must not think that the answer goes
  // back to it
  if (isToNoSender(request)) notify.info(wordsOf(mailActionWords).noAnswerAddress);
  const asked = composeRequests.get();
  // Reply to all takes the place of a reply that has no window yet
  const others = asked.filter((other) => !answersSame(other, request));
  if (!asked.some((other) => isSame(other, request))) composeRequests.set([...others, request]);
  restKeys();
}

/** Ends the rest of the keys: the window is there, or its code could not be loaded. */
export function wakeKeys(): void {
  endRest?.();
  endRest = null;
}

/**
 * Holds back the shortcuts until the window is there: letters typed before must not act on the list
 * below it.
 */
function restKeys(): void {
  wakeKeys();
  endRest = restShortcuts();
}

/** A second empty window does no harm, but the same answer in two windows could be sent twice. */
function isDoublePress(request: ComposeRequest): boolean {
  if (last === null || performance.now() - last.at > DOUBLE_MS) return false;
  if (request.kind === 'new' && request.prepared === undefined) return false;
  return isSame(last.request, request);
}

function isToNoSender(request: ComposeRequest): boolean {
  return (
    request.kind === 'reply' && !request.isToList && !request.email.send_status && !hasAnswerAddress(request.email)
  );
}

const isSame = (a: ComposeRequest, b: ComposeRequest): boolean => factsOf(a) === factsOf(b);

/** What tells a request from others, as one text. */
function factsOf(request: ComposeRequest): string {
  switch (request.kind) {
    case 'new': {
      const { text, subject, to } = request.prepared ?? {};
      return JSON.stringify([text, subject, to]);
    }
    case 'forwardWhole':
      return JSON.stringify([request.kind, request.messages.map(({ _id }) => _id)]);
    case 'forward':
      return JSON.stringify([request.kind, request.email._id]);
    case 'reply':
      return JSON.stringify([request.email._id, request.isToAll, !!request.isToList]);
  }
}

function answersSame(a: ComposeRequest, b: ComposeRequest): boolean {
  return a.kind === 'reply' && b.kind === 'reply' && a.email._id === b.email._id;
}
