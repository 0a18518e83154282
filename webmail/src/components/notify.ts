import { messageOf } from '../lib/api-error.ts';

interface Action {
  label: string;
  run: () => void;
}

export interface Notice {
  intent: 'success' | 'info' | 'error';
  text: string;
  timeout: number;
  action?: Action | undefined;
}

const SHORT_MS = 5_000;
const LONG_MS = 8_000;

let display: ((notice: Notice) => void) | null = null;
const waiting: Notice[] = [];

/** Takes the notices from now on, and those that came before the toaster was there. */
export function displayNotices(show: (notice: Notice) => void): () => void {
  display = show;
  for (const notice of waiting.splice(0)) show(notice);
  return () => {
    display = null;
  };
}

function tell(notice: Notice): void {
  if (display) display(notice);
  else waiting.push(notice);
}

/** Toasts in one voice; they are announced to screen readers by Fluent's toaster. */
export const notify = {
  success: (text: string, action?: Action) => tell({ intent: 'success', text, timeout: SHORT_MS, action }),
  info: (text: string, action?: Action) => tell({ intent: 'info', text, timeout: SHORT_MS, action }),
  error: (error: unknown) => tell({ intent: 'error', text: messageOf(error), timeout: LONG_MS }),
};
