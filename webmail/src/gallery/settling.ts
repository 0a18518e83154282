/*
 * Sets `data-settled` on the page's root to whether a section has settled. A test takes its picture
 * once all that it fetches has arrived and all that it presses was pressed.
 */
let held = 0;

function tell(): void {
  document.documentElement.dataset['settled'] = String(held === 0);
}

/** Marks the section as not settled until the returned function is called. */
export function hold(): () => void {
  let isHeld = true;
  held += 1;
  tell();
  return () => {
    if (isHeld) held -= 1;
    isHeld = false;
    // New content is painted first
    requestAnimationFrame(() => requestAnimationFrame(tell));
  };
}

/** Looks at each frame until `find` finds something. Returns a function that stops looking. */
export function awaitThere<T>(find: () => T | null | undefined, then: (found: T) => void): () => void {
  const release = hold();
  let frame = requestAnimationFrame(function look() {
    const found = find();
    if (found) {
      then(found);
      release();
    } else {
      frame = requestAnimationFrame(look);
    }
  });
  return () => {
    cancelAnimationFrame(frame);
    release();
  };
}
