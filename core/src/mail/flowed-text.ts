/*
 * Text whose paragraphs span several lines (RFC 3676). A line that ends with a space continues in
 * the next one, if that has the same quote depth.
 */

interface Line {
  /** The number of quote marks before it. */
  depth: number;
  words: string;
}

const signatureMark = '-- ';

/**
 * Joins each paragraph into one line, with a quote mark before it for each depth.
 * @param delSp whether the space that marks a continued line must be removed
 */
export function joinFlowedLines(text: string, delSp: boolean): string {
  const lines = text.split(/\r?\n/).map(readLine);
  return lines
    .map((line, index) => {
      const next = lines[index + 1];
      const isOpen = next !== undefined && goesOn(line, next);
      const words = isOpen && delSp ? line.words.slice(0, -1) : line.words;
      const before = lines[index - 1];
      const isBegun = before !== undefined && goesOn(before, line);
      return `${isBegun ? '' : startOf(line)}${words}${isOpen || next === undefined ? '' : '\n'}`;
    })
    .join('');
}

function readLine(line: string): Line {
  const [signs] = /^>*/.exec(line) ?? [''];
  const rest = line.slice(signs.length);
  // RFC 3676 4.4: a space at the start only protects what follows from being misread
  return { depth: signs.length, words: rest.startsWith(' ') ? rest.slice(1) : rest };
}

function goesOn(line: Line, next: Line): boolean {
  if (!line.words.endsWith(' ') || line.words === signatureMark) return false;
  // Some programs put spaces between quote marks, so that the marks would end up within a paragraph
  return next.depth === line.depth && next.words !== signatureMark && !next.words.startsWith('>');
}

function startOf({ depth, words }: Line): string {
  return `${'>'.repeat(depth)}${depth > 0 && words !== '' ? ' ' : ''}`;
}
