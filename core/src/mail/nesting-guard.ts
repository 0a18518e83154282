const maxNesting = 1000;

/** Thrown when HTML is nested so deeply that processing it would take too long. */
export class NestedTooDeeply extends Error {}

/** Counts the open elements in the events of the HTML parser. */
export class NestingGuard {
  private depth = 0;

  /** @throws {NestedTooDeeply} beyond 1000 open elements. */
  open(): void {
    this.depth++;
    if (this.depth > maxNesting) throw new NestedTooDeeply('html is nested too deeply');
  }

  close(): void {
    this.depth--;
  }
}

/** HTML without anything that looks like a tag. Takes linear time on any text. */
export function stripTags(html: string): string {
  return html.replace(/<[^<>]*>/g, ' ');
}
