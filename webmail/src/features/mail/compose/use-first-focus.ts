import { type RefObject, useEffect } from 'react';
import type { EditorText } from './editor-text.ts';

/**
 * By then the dialog has put the focus on its first button, which is never where a person wants to
 * type.
 */
const FOCUS_AGAIN_AFTER_MS = 60;

/** A new message begins at its recipients, an answer in its text. */
export function useFirstFocus(
  surfaceRef: RefObject<HTMLElement | null>,
  startsInTo: boolean,
  text: Pick<EditorText, 'focus'>,
): void {
  useEffect(() => {
    const start = (): void => {
      // A quick person may be in another field already. Their typing must not end up in this one
      if (isInUse(surfaceRef.current) || isTypingBeside(surfaceRef.current)) return;
      if (startsInTo) surfaceRef.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
      else text.focus();
    };
    // A question that has opened meanwhile keeps the focus, so that the person can answer it
    const startAgain = (): void => {
      const holder = document.activeElement;
      if (holder === document.body || surfaceRef.current?.contains(holder)) start();
    };
    // At once, so that the first letters are not lost, and again if the dialog took the focus away
    start();
    const timer = setTimeout(startAgain, FOCUS_AGAIN_AFTER_MS);
    return () => clearTimeout(timer);
  }, [surfaceRef, startsInTo, text]);
}

/**
 * Whether the person has moved the focus within the window. The window itself focuses its first
 * button at most.
 */
function isInUse(surface: HTMLElement | null): boolean {
  const holder = document.activeElement;
  if (!surface?.contains(holder)) return false;
  return holder !== surface && holder !== surface.querySelector('button');
}

/**
 * Whether the person is typing outside the window: it may open long after it was asked for, when
 * the message that it answers has been loaded.
 */
function isTypingBeside(surface: HTMLElement | null): boolean {
  const holder = document.activeElement;
  if (!(holder instanceof HTMLElement) || surface?.contains(holder)) return false;
  return holder.isContentEditable || holder.matches('input:not([type="checkbox"], [type="radio"]), textarea');
}
