/** Whether nothing on the page has the focus, so that Tab would begin at the top. */
export function isFocusLost(): boolean {
  return document.activeElement === null || document.activeElement === document.body;
}

/** Gives the focus to the heading of the page. */
export function giveToHeading(): void {
  document.querySelector<HTMLElement>('main h1')?.focus();
}
