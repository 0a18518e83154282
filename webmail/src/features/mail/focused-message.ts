/*
 * Which message of a conversation a person is at. The focus says so: it may be on the message, on
 * something in it, or in the frame of its text, whose element then has it.
 */

/** The attribute of the element of a message; its value is the message's id. */
const messages = '[data-message]';

const focused = (): HTMLElement | null => document.activeElement?.closest<HTMLElement>(messages) ?? null;

/** The message that the focus is in; null where it is in none. */
export function focusedId(): string | null {
  return focused()?.dataset['message'] ?? null;
}

/** The focus is on a row of the list beside the conversation. */
export function isInList(): boolean {
  return document.activeElement?.closest('[data-entry]') != null;
}

/**
 * Moves the focus from an element inside a message to the message itself, before that element is
 * removed.
 */
export function keepFocus(): void {
  focused()?.focus({ preventScroll: true });
}

/**
 * Moves the focus to the next (1) or the previous (-1) message. At the end it stays.
 * @param startId where it starts while no message has the focus
 */
export function stepFocus(step: 1 | -1, startId: string): void {
  const all = [...document.querySelectorAll<HTMLElement>(messages)];
  const from = focusedId() ?? startId;
  const index = all.findIndex(({ dataset }) => dataset['message'] === from);
  const target = all[index + step] ?? all[index];
  if (!target) return;
  target.focus({ preventScroll: true });
  // Of a message that fills the screen, the beginning must be visible
  const isTall = target.offsetHeight > window.innerHeight / 2;
  target.scrollIntoView({ block: isTall ? 'start' : 'nearest' });
}

/** Moves the focus on from a message that is about to leave. */
export function leaveFocused(): void {
  const all = [...document.querySelectorAll<HTMLElement>(messages)];
  const index = all.findIndex((one) => one === focused());
  (all[index + 1] ?? all[index - 1])?.focus({ preventScroll: true });
}
