const maxNesting = 1000;
/** A table with this many cells of three letters is as long as the longest text that is read. */
const maxElements = 400_000;

/** Thrown when HTML has so many elements, or so many open ones, that reading it takes too long. */
export class TooManyElements extends Error {}

/** Counts the elements in the events of the HTML parser. */
export class ElementGuard {
  private depth = 0;
  private elements = 0;

  /** @throws {TooManyElements} beyond 1000 open elements, or 400,000 in all. */
  open(): void {
    this.depth++;
    this.elements++;
    if (this.depth > maxNesting) throw new TooManyElements('html is nested too deeply');
    if (this.elements > maxElements) throw new TooManyElements('html has too many elements');
  }

  close(): void {
    this.depth--;
  }
}

/** HTML without anything that looks like a tag. Takes linear time on any text. */
export function stripTags(html: string): string {
  return html.replace(/<[^<>]*>/g, ' ');
}
