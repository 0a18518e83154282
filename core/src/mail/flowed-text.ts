/*
 * Text whose paragraphs are spread over several lines (RFC 3676). A line that ends with a space
 * goes on in the next one, if that is quoted as deeply.
 */

interface Line {
  /** How many signs of a quote stand before it. */
  depth: number;
  words: string;
}

const signatureMark = '-- ';

/**
 * Each paragraph in one line, and one sign of its quote before it for each depth.
 * @param delSp the space that says that a line goes on is no part of the text
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
  // RFC 3676 4.4: a space at the start is only there to keep what follows from being read otherwise
  return { depth: signs.length, words: rest.startsWith(' ') ? rest.slice(1) : rest };
}

function goesOn(line: Line, next: Line): boolean {
  if (!line.words.endsWith(' ') || line.words === signatureMark) return false;
  // Some programs put spaces between the signs of a quote, which would end within a paragraph
  return next.depth === line.depth && next.words !== signatureMark && !next.words.startsWith('>');
}

function startOf({ depth, words }: Line): string {
  return `${'>'.repeat(depth)}${depth > 0 && words !== '' ? ' ' : ''}`;
}
