interface Offer {
  undo: () => void;
  doneAt: number;
}

/** By when it was done, the latest last. */
const offers: Offer[] = [];

/**
 * Offers to take back what was done last, until the returned function is called.
 * @param doneAt when that was, by `performance.now()`: what shows the offer may come and go
 */
export function offerUndo(undo: () => void, doneAt = performance.now()): () => void {
  const offer = { undo, doneAt };
  const behind = offers.findLastIndex((other) => other.doneAt <= doneAt);
  offers.splice(behind + 1, 0, offer);
  return () => {
    offers.splice(offers.indexOf(offer), 1);
  };
}

/** Takes back the latest of what is offered to be taken back, by toasts and after a send. */
export function undoLatest(): void {
  offers.at(-1)?.undo();
}
