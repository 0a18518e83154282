import { type RefObject, useEffect } from 'react';

const FOCUS_AFTER_MS = 60;
const FIELDS = 'input:not([type="checkbox"]):not([readonly]):not([hidden]), textarea, select';
/** What a person does in a dialog. The key that opened it went to what it was opened from. */
const ACTS = ['keydown', 'pointerdown', 'input'] as const;

/**
 * Puts the focus of a dialog where the person goes on typing; again when `step` changes, as a
 * dialog goes one step further. A quick person who has typed or gone on already keeps the focus
 * where they have it: else what they do next would end in the first field.
 */
export function useFirstField(ref: RefObject<HTMLElement | null>, step: string): void {
  useEffect(() => {
    let hasActed = false;
    const handleAct = ({ target }: Event): void => {
      hasActed ||= target instanceof Node && (ref.current?.contains(target) ?? false);
    };
    for (const act of ACTS) document.addEventListener(act, handleAct, true);
    // after Fluent has put the focus on the first button
    const timer = setTimeout(() => {
      const surface = ref.current;
      if (!surface || hasActed) return;
      const first =
        surface.querySelector<HTMLElement>('[data-autofocus]') ??
        surface.querySelector<HTMLElement>(FIELDS) ??
        surface.querySelector<HTMLElement>('button[type="submit"]');
      first?.focus();
    }, FOCUS_AFTER_MS);
    return () => {
      clearTimeout(timer);
      for (const act of ACTS) document.removeEventListener(act, handleAct, true);
    };
  }, [ref, step]);
}
