/** Whether the last thing that the person did was to move the focus by Tab. */
let isMoving = false;

/** Begins to listen, before any screen is there. */
export function followFocusMoves(): void {
  const listen = (event: Event): void => {
    isMoving = event instanceof KeyboardEvent && event.key === 'Tab';
  };
  for (const name of ['keydown', 'pointerdown']) document.addEventListener(name, listen, { capture: true });
}

/**
 * Whether the person has just moved the focus by Tab. Parts of the page that appear late must not
 * take the focus then.
 */
export function isMovingFocus(): boolean {
  return isMoving;
}
