const LONG_QUOTE = 200;

interface Range {
  start: number;
  end: number;
}

/**
 * Folds long quotes away behind their first word, unless the message is nothing but the quote. The text comes from the sanitiser: its tags
 * are balanced, and what looks like a tag is one.
 */
export function foldQuotes(html: string): string {
  const quotes = outerQuotes(html).filter(({ start, end }) => textLength(html.slice(start, end)) > LONG_QUOTE);
  const quoted = quotes.reduce((sum, { start, end }) => sum + textLength(html.slice(start, end)), 0);
  if (quotes.length === 0 || textLength(html) - quoted < 1) return html;
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
