/*
 * What covers the whole screen, such as the window of a message on a phone. The Back button of the
 * browser or of the phone closes it, and does not leave the page that it hides.
 */

const open: (() => void)[] = [];

/** Has Back close something, until the returned function is called. */
export function closeByBack(close: () => void): () => void {
  open.push(close);
  return () => {
    const index = open.indexOf(close);
    if (index >= 0) open.splice(index, 1);
  };
}

/** The function that closes what was opened last; undefined when nothing covers the page. */
export function topCloser(): (() => void) | undefined {
  return open.at(-1);
}
