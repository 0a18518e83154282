const maxNesting = 1000;

/** The HTML is nested so deeply that working on it would take too long. */
export class NestedTooDeeply extends Error {}

/** Counts open elements as the HTML parser sees them. */
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

/** HTML without everything that looks like a tag. Takes linear time on any text. */
export function stripTags(html: string): string {
  return html.replace(/<[^<>]*>/g, ' ');
}
