const undos: (() => void)[] = [];

/** Offers to take back what was done last, until the returned function is called. */
export function offerUndo(undo: () => void): () => void {
  undos.push(undo);
  return () => {
    undos.splice(undos.lastIndexOf(undo), 1);
  };
}

/** Takes back the latest of what is offered to be taken back, by toasts and after a send. */
export function undoLatest(): void {
  undos.at(-1)?.();
}
