import { type RefObject, useEffect } from 'react';

const FOCUS_AFTER_MS = 60;
const FIELDS = 'input:not([type="checkbox"]):not([readonly]):not([hidden]), textarea, select';

/**
 * Puts the focus of a dialog where the person goes on typing; again when `step` changes, as a
 * dialog goes one step further.
 */
export function useFirstField(ref: RefObject<HTMLElement | null>, step: string): void {
  useEffect(() => {
    // after Fluent has put the focus on the first button
    const timer = setTimeout(() => {
      const first =
        ref.current?.querySelector<HTMLElement>('[data-autofocus]') ??
        ref.current?.querySelector<HTMLElement>(FIELDS) ??
        ref.current?.querySelector<HTMLElement>('button[type="submit"]');
      first?.focus();
    }, FOCUS_AFTER_MS);
    return () => clearTimeout(timer);
  }, [ref, step]);
}
