/** Whether the last thing that the person did was to move the focus by Tab. */
let isMoving = false;

/** Begins to listen, before any screen is there. */
export function followFocusMoves(): void {
  const listen = (event: Event): void => {
    isMoving = event instanceof KeyboardEvent && event.key === 'Tab';
  };
  for (const name of ['keydown', 'pointerdown']) document.addEventListener(name, listen, { capture: true });
}

/** Then the focus is where the person wants it, and nothing that has come late takes it. */
export function isMovingFocus(): boolean {
  return isMoving;
}
