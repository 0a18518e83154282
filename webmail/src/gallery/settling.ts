/*
 * Says on the page's root, as `data-settled`, whether a section stands still, so that its picture
 * is taken when what it fetches is there and what it presses was pressed.
 */
let held = 0;

function tell(): void {
  document.documentElement.dataset['settled'] = String(held === 0);
}

/** The section moves until the returned function is called. */
export function hold(): () => void {
  let isHeld = true;
  held += 1;
  tell();
  return () => {
    if (isHeld) held -= 1;
    isHeld = false;
    // what has just come is painted first
    requestAnimationFrame(() => requestAnimationFrame(tell));
  };
}

/** Asks at each frame until something is there. Gives a function that ends it. */
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
