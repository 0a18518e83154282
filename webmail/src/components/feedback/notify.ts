import { atom } from 'nanostores';
import { messageOf } from '../../lib/api-error.ts';
import { offerUndo } from './undo-latest.ts';

interface Action {
  label: string;
  run: () => void;
  /** It takes back what was done, which a key does too until the toast has gone. */
  isUndo?: true;
}

export interface Notice {
  intent: 'success' | 'info' | 'error';
  text: string;
  /** Milliseconds, or -1 for one that stays until it is dismissed. */
  timeout: number;
  action?: Action | undefined;
  /** A later notice of the same kind takes the place of this one while it is shown. */
  kind?: string;
}

const SHORT_MS = 5_000;
const LONG_MS = 8_000;
/**
 * A toast with something to press waits longer: a person who uses the keyboard has to get there.
 */
const WITH_ACTION_MS = 10_000;

let display: ((notice: Notice) => void) | null = null;
const waiting: { notice: Notice; endUndo: (() => void) | undefined }[] = [];

/** Whether something was said that no toaster has shown yet. */
export const hasWaitingNotices = atom(false);

/** True while windows are open at the bottom of the page. Notices must not cover their buttons. */
export const isBottomTaken = atom(false);

/** Takes the notices from now on, and those that came before the toaster was there. */
export function displayNotices(show: (notice: Notice) => void): () => void {
  display = show;
  for (const { notice, endUndo } of waiting.splice(0)) {
    endUndo?.();
    show(notice);
  }
  hasWaitingNotices.set(false);
  return () => {
    display = null;
  };
}

function tell(notice: Notice): void {
  if (display) {
    display(notice);
    return;
  }
  waiting.push({ notice, endUndo: notice.action?.isUndo && offerEarlyUndo(notice, notice.action.run) });
  hasWaitingNotices.set(true);
}

/** Offers Undo while the toaster is still being loaded. What was taken back is not shown. */
function offerEarlyUndo(notice: Notice, run: () => void): () => void {
  const endUndo = offerUndo(() => {
    endUndo();
    waiting.splice(
      waiting.findIndex((one) => one.notice === notice),
      1,
    );
    run();
  });
  return endUndo;
}

function timeFor(action: Action | undefined, otherwise: number): number {
  return action ? WITH_ACTION_MS : otherwise;
}

/** Toasts in one voice; they are announced to screen readers by Fluent's toaster. */
export const notify = {
  success: (text: string, action?: Action) =>
    tell({ intent: 'success', text, timeout: timeFor(action, SHORT_MS), action }),
  info: (text: string, action?: Action) => tell({ intent: 'info', text, timeout: timeFor(action, SHORT_MS), action }),
  /**
   * News that comes often: the latest is shown, and for a short while. A press anywhere on it does
   * what it offers.
   */
  news: (kind: string, text: string, action: Action) => tell({ intent: 'info', text, timeout: SHORT_MS, action, kind }),
  /** A failure in words of the catalogue. */
  failure: (text: string, action?: Action) =>
    tell({ intent: 'error', text, timeout: timeFor(action, LONG_MS), action }),
  /** A failure that was thrown. */
  error: (error: unknown) => tell({ intent: 'error', text: messageOf(error), timeout: LONG_MS }),
};
