const longQuote = 200;

/** The place of a quote in the HTML. */
export interface Range {
  start: number;
  end: number;
}

/**
 * Finds each long quote, unless the message is nothing but the quote. The HTML comes from the
 * sanitiser, so its tags are balanced and what looks like a tag is one.
 */
export function findFolds(html: string): Range[] {
  const quotes = outerQuotes(html).filter(({ start, end }) => textLength(html.slice(start, end)) > longQuote);
  const quoted = quotes.reduce((sum, { start, end }) => sum + textLength(html.slice(start, end)), 0);
  return textLength(html) - quoted < 1 ? [] : quotes;
}

/** Folds the quotes away, each under a heading that opens it. */
export function foldQuotes(html: string, quotes: readonly Range[] = findFolds(html)): string {
  let folded = '';
  let from = 0;
  for (const { start, end } of quotes) {
    const quote = html.slice(start, end);
    folded += `${html.slice(from, start)}<details><summary>Show quoted text</summary>${quote}</details>`;
    from = end;
  }
  return folded + html.slice(from);
}

function outerQuotes(html: string): Range[] {
  const ranges: Range[] = [];
  let depth = 0;
  let start = 0;
  for (const { 0: tag, 1: slash, index } of html.matchAll(/<(\/?)blockquote\b[^>]*>/gi)) {
    if (!slash && depth === 0) start = index;
    depth = Math.max(0, depth + (slash ? -1 : 1));
    if (slash && depth === 0) ranges.push({ start, end: index + tag.length });
  }
  return ranges;
}

function textLength(html: string): number {
  return html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim().length;
}
