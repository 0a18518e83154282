import type { KeyboardEvent } from 'react';

/** The arrows go through the field, and the rows that it finds. */
export function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step === undefined) return;
  const places = [...event.currentTarget.querySelectorAll<HTMLElement>('input, button')];
  const at = places.indexOf(document.activeElement as HTMLElement);
  event.preventDefault();
  places[Math.min(Math.max(at + step, 0), places.length - 1)]?.focus();
}
