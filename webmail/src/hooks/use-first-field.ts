import { type RefObject, useEffect } from 'react';

const FOCUS_AFTER_MS = 60;
const FIELDS = 'input:not([type="checkbox"]):not([readonly]):not([hidden]), textarea, select';

/** A quick person is in another field already, and what they type must not end in the first one. */
function isWriting(surface: HTMLElement): boolean {
  const { activeElement: active } = document;
  const isInField = active !== null && surface.contains(active) && active.matches(`${FIELDS}, [contenteditable]`);
  return isInField && active !== surface.querySelector(FIELDS);
}

/**
 * Puts the focus of a dialog where the person goes on typing; again when `step` changes, as a
 * dialog goes one step further.
 */
export function useFirstField(ref: RefObject<HTMLElement | null>, step: string): void {
  useEffect(() => {
    // after Fluent has put the focus on the first button
    const timer = setTimeout(() => {
      const surface = ref.current;
      if (!surface || isWriting(surface)) return;
      const first =
        surface.querySelector<HTMLElement>('[data-autofocus]') ??
        surface.querySelector<HTMLElement>(FIELDS) ??
        surface.querySelector<HTMLElement>('button[type="submit"]');
      first?.focus();
    }, FOCUS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [ref, step]);
}
