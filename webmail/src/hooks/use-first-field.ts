import { type RefObject, useEffect } from 'react';

const FIELDS = 'input:not([type="checkbox"]):not([readonly]):not([hidden]), textarea, select';

/**
 * Puts the focus of a dialog where the person goes on typing; again when `step` changes, as a
 * dialog goes one step further. It happens at once: a moment later a quick person, or the program
 * that types for them, may be in another field, and what they type would end in the first one.
 * Fluent's Dialog is a child of the caller, so its effect, which focuses the first button, has run
 * before this one.
 */
export function useFirstField(ref: RefObject<HTMLElement | null>, step: string): void {
  useEffect(() => {
    const surface = ref.current;
    const first =
      surface?.querySelector<HTMLElement>('[data-autofocus]') ??
      surface?.querySelector<HTMLElement>(FIELDS) ??
      surface?.querySelector<HTMLElement>('button[type="submit"]');
    first?.focus();
  }, [ref, step]);
}
