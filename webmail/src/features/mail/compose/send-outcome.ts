import { findSent } from '@selvage/core/contracts/mail';
import { api } from '../../../lib/api.ts';
import { ApiError, messageOf } from '../../../lib/api-error.ts';
import type { Composition } from './composition.ts';

/** The server's answer about a message that it has accepted. */
export interface Sent {
  _id: string;
  /** Until when it can be taken back; ISO 8601, by the server's clock. */
  undo_until: string;
  /** How long that is from the moment of sending; milliseconds. */
  undo_ms: number;
  /** When it will be sent, if the person chose a later time; ISO 8601. */
  scheduled_for: string | null;
}

/** The outcome of sending a message, as far as it is known. */
export type Outcome =
  | { kind: 'sent'; sent: Sent }
  /** Nothing was sent. `text` says why, in words for the person. */
  | { kind: 'refused'; text: string }
  /**
   * A message was sent under this key before: it had other content, or it was taken back
   * afterwards. `draftId` is the draft that it became; null when that is not known.
   */
  | { kind: 'used'; text: string; draftId: string | null }
  /** There was no answer, or one that says nothing about the message. */
  | { kind: 'unknown'; text: string };

/**
 * The outcome after a failed call to send. Only a refusal in the server's own words proves that
 * nothing was sent.
 */
export function outcomeOfSending(error: unknown): Outcome {
  const text = messageOf(error);
  if (!(error instanceof ApiError) || error.code === null) return { kind: 'unknown', text };
  const { code, status } = error;
  if (code === 'send_undone' || code === 'idempotency_key_reused') return usedBefore(error);
  if (code === 'still_sending' || status < 400 || status >= 500) return { kind: 'unknown', text };
  return { kind: 'refused', text: reasonOf(error) };
}

function usedBefore(error: ApiError): Outcome {
  return { kind: 'used', text: messageOf(error), draftId: error.ids['draft_id'] ?? null };
}

/**
 * Why the server refused a message or a draft: the problem of each field. The server's general
 * sentence would not do, since this window does not mark its fields.
 */
export function reasonOf(error: unknown): string {
  const problems = error instanceof ApiError ? Object.values(error.fields) : [];
  if (problems.length === 0) return messageOf(error);
  return [...new Set(problems)].map((problem) => (/[.!?]$/.test(problem) ? problem : `${problem}.`)).join(' ');
}

/**
 * Asks the server once about the message under a key. `text` is the error text of the call that
 * sent it.
 */
export async function askOutcome({ key, owner }: Pick<Composition, 'key' | 'owner'>, text: string): Promise<Outcome> {
  try {
    return { kind: 'sent', sent: await api(findSent, { params: { key }, as: owner }) };
  } catch (error) {
    if (!(error instanceof ApiError)) return { kind: 'unknown', text };
    if (error.code === 'not_sent') return { kind: 'refused', text };
    return error.code === 'send_undone' ? usedBefore(error) : { kind: 'unknown', text };
  }
}

const LONGEST_WAIT_S = 30;

/** Seconds until the server is asked again: 1, 2, 4 and so on, up to half a minute. */
export function waitAfter(round: number): number {
  return Math.min(2 ** round, LONGEST_WAIT_S);
}

/** A wait that can be cut short. */
export interface Patience {
  wait: (seconds: number) => Promise<void>;
  /** Ends the wait that is under way. */
  wake: () => void;
}

/** Waits that end early when the device comes online again. */
export function createPatience(): Patience {
  let wake = (): void => undefined;
  return {
    wait: (seconds) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => wake(), seconds * 1000);
        wake = () => {
          clearTimeout(timer);
          window.removeEventListener('online', wake);
          resolve();
        };
        window.addEventListener('online', wake);
      }),
    wake: () => wake(),
  };
}

interface Question {
  ask: () => Promise<Outcome>;
  wait: Patience['wait'];
  /** True when the caller needs no answer any more. */
  isOver: () => boolean;
}

/** Asks until the server knows, with longer and longer waits; null when it was given up. */
export async function askUntilKnown({ ask, wait, isOver }: Question): Promise<Outcome | null> {
  for (let round = 0; !isOver(); round += 1) {
    const outcome = await ask();
    if (outcome.kind !== 'unknown') return outcome;
    await wait(waitAfter(round));
  }
  return null;
}
