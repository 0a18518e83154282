import { whiteSpaceOf } from './white-space.ts';

/*
 * Turns HTML into plain text, element by element. On the server an HTML parser calls this class,
 * and in the webmail a walk through a document does.
 *
 * A block begins and ends a line, and some have a blank line around them. Each line of a quotation
 * begins with `> `, each item of a list with its mark. A row of a table becomes one line if each of
 * its cells has one line. Strangers write the HTML, so each step reads only a bounded part of the
 * output written so far.
 */

const breaking = new Set(
  `
  address article aside blockquote center dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5
  h6 header hr li main ol p pre section table tbody tfoot thead tr td th ul
`
    .trim()
    .split(/\s+/),
);
const apart = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'ul', 'ol', 'table']);
/** Outlook writes each line as a paragraph without a distance to the next. */
const noMargin = /(?:^|;)\s*margin\s*:(?:\s*0(?:\.0+)?(?:cm|mm|in|pt|px|r?em)?){1,4}\s*(?:[;!]|$)/i;
const someMargin = /(?:^|;)\s*margin-(?:top|bottom)\s*:\s*[1-9]/i;
const lists = new Set(['ul', 'ol']);
/** White space between the parts of a table is never shown. */
const partsOfTable = new Set(['table', 'thead', 'tbody', 'tfoot', 'tr']);
/** The most nested quotations, and nested lists, that are shown as such. */
const deepest = 20;
/** The most lines of a cell, with blank ones, for its row to become one line. */
const mostLinesOfCell = 20;
const longestCell = 1000;

/** The attributes that matter here. */
type Attributes = Readonly<Partial<Record<'style' | 'href' | 'alt' | 'start', string>>>;

interface LinePlace {
  /** The number of quotations around it. */
  quotes: number;
  indent: string;
}

interface Line extends LinePlace {
  text: string;
  /** It is empty or ends with a space, so a space that follows is dropped. */
  isSpaced: boolean;
}

/** An element that is open. */
interface Open extends LinePlace {
  name: string;
  /** Spaces and line ends are kept. */
  keepsSpace: boolean;
  /** The number of the next item of an ordered list; null in other elements. */
  number: number | null;
  row: Row | null;
  /** It has a blank line before and after it. */
  isApart: boolean;
}

/** A row of a table, as long as it can become one line. */
interface Row {
  /**
   * The place of the row's line. If the row is in an item of a list, the line begins with the
   * item's mark.
   */
  around: LinePlace;
  from: number;
  isApart: boolean;
  quotesBefore: number;
  cells: string[];
  /** The number of lines when the cell before ended. Lines between two cells belong to neither. */
  end: number;
}

/** Writes the words of HTML line by line. */
export class LineWriter {
  private readonly isMarked: boolean;
  private readonly lines: string[] = [];
  /** Null until something is written in the line, even if only a mark. */
  private line: Line | null = null;
  private readonly around: Open[] = [];
  private element: Open = {
    name: '',
    quotes: 0,
    indent: '',
    keepsSpace: false,
    number: null,
    row: null,
    isApart: false,
  };
  private link: { href: string; words: string } | null = null;
  /** The number of quotations around the line before. */
  private quotesBefore = 0;
  /** The line has nothing but the mark of a list. */
  private isMarkAlone = false;
  /** The next line needs a blank line before it. */
  private isApart = false;
  /** Nothing was written yet, or nothing in the quotation that has just begun. */
  private isAtStart = true;

  /** @param options `isMarked: false` leaves out the marks of quotations and ruled lines */
  constructor({ isMarked = true } = {}) {
    this.isMarked = isMarked;
  }

  /** Returns the text that was written so far. */
  text(): string {
    this.closeLine();
    return this.lines.join('\n');
  }

  /** @param name in lower case */
  open(name: string, attributes: Attributes): void {
    const around = this.element;
    this.around.push(around);
    this.element = this.elementWithin(around, name, attributes);
    if (name === 'br') this.endLine(around);
    else if (name === 'img') this.add(wordsOfPicture(attributes));
    else if (name === 'a') this.link = { href: attributes.href ?? '', words: '' };
    else if (breaking.has(name)) this.openBlock(around);
  }

  /** Closes the innermost open element. */
  close(): void {
    const closed = this.element;
    this.element = this.around.pop() ?? closed;
    if (closed.name === 'a') this.closeLink();
    else if (breaking.has(closed.name)) this.closeBlock(closed);
  }

  /** Adds text to the innermost open element. */
  add(text: string): void {
    if (partsOfTable.has(this.element.name) && text.trim() === '') return;
    if (!this.element.keepsSpace) {
      const words = text.replace(/[ \t\r\n\f]+/g, ' ').replaceAll('\u200b', '');
      const isSpaced = this.line === null || this.line.isSpaced;
      this.append(isSpaced ? words.replace(/^ /, '') : words);
      return;
    }
    const [first = '', ...others] = text.split(/\r\n|\r|\n/);
    this.append(first);
    for (const line of others) {
      this.endLine(this.element);
      this.append(line);
    }
  }

  private elementWithin(around: Open, name: string, { style, start }: Attributes): Open {
    const space = whiteSpaceOf(style);
    const isQuoted = name === 'blockquote' && this.isMarked;
    // Editors write a nested list as a sibling of the items
    const isInnerList = lists.has(name) && lists.has(around.name);
    const isIndented = (name === 'li' || isInnerList) && around.indent.length < 2 * deepest;
    return {
      name,
      quotes: isQuoted ? Math.min(around.quotes + 1, deepest) : around.quotes,
      indent: isIndented ? `${around.indent}  ` : around.indent,
      keepsSpace: name === 'pre' || (space === '' ? around.keepsSpace : /^(?:pre|break-spaces)/.test(space)),
      number: name === 'ol' ? Number.parseInt(start ?? '', 10) || 1 : null,
      row: null,
      isApart: apart.has(name) && around.indent === '' && !isInnerList && !(name === 'p' && isClose(style)),
    };
  }

  private openBlock(around: Open): void {
    const { element } = this;
    const { name } = element;
    if (!this.isMarkAlone) this.closeLine();
    this.isApart ||= element.isApart && !this.isAtStart;
    if (name === 'blockquote') this.isAtStart = true;
    if (name === 'hr' && this.isMarked) this.add('----------');
    if (name === 'li') {
      this.begin(around, markOfNext(around));
      this.isMarkAlone = true;
    }
    if (name === 'tr') element.row = this.openRow(around);
    // Words between two cells belong to no cell, so the row can't become one line
    if (around.row && around.row.end !== this.lines.length) around.row = null;
  }

  private closeBlock(closed: Open): void {
    this.closeLine();
    const around = this.element;
    if (closed.row) this.closeRow(closed.row);
    else if (around.row) around.row = this.withCell(around.row);
    this.isApart ||= closed.isApart;
  }

  private openRow(around: Open): Row {
    const { isApart, quotesBefore } = this;
    const from = this.lines.length;
    return { around: this.line ?? around, from, isApart, quotesBefore, cells: [], end: from };
  }

  /** Adds the lines written last to the row as a cell; null when they are more than one. */
  private withCell(row: Row): Row | null {
    const end = this.lines.length;
    if (end - row.end > mostLinesOfCell) return null;
    const words = this.lines
      .slice(row.end)
      .map((line) => line.slice(row.around.quotes).trim())
      .filter((line) => line !== '');
    const [only = ''] = words;
    if (words.length > 1 || only.length > longestCell) return null;
    row.cells.push(only);
    row.end = end;
    return row;
  }

  private closeRow({ around, from, isApart, quotesBefore, cells, end }: Row): void {
    if (cells.length < 2 || end !== this.lines.length) return;
    this.lines.length = from;
    this.isApart = isApart;
    this.quotesBefore = quotesBefore;
    this.begin(around, cells.join('\t'));
    this.closeLine();
  }

  private closeLink(): void {
    if (!this.link) return;
    const { href, words } = this.link;
    this.link = null;
    const name = words.trim();
    if (/^https?:\/\/\S{1,2000}$/i.test(href) && name !== '' && !isSameAddress(name, href)) this.add(` <${href}>`);
  }

  private append(text: string): void {
    if (text === '') return;
    this.isMarkAlone = false;
    const words = text.replaceAll('\u00a0', ' ');
    if (this.link) this.link.words += words;
    this.line ??= this.begin(this.element, '');
    this.line.text += words;
    this.line.isSpaced = text.endsWith(' ');
  }

  private begin({ quotes, indent }: LinePlace, text: string): Line {
    if (this.isApart) this.lines.push('>'.repeat(Math.min(quotes, this.quotesBefore)));
    this.quotesBefore = quotes;
    this.isApart = false;
    this.isAtStart = false;
    this.line = { quotes, indent, text, isSpaced: true };
    return this.line;
  }

  /** Ends the line for a line end in the text. The line may be empty. */
  private endLine(place: LinePlace): void {
    if (!this.line) this.begin(place, '');
    this.closeLine();
  }

  private closeLine(): void {
    if (this.line) this.lines.push(wordsOfLine(this.line));
    this.line = null;
    this.isMarkAlone = false;
  }
}

function wordsOfLine({ quotes, indent, text }: Line): string {
  const prefix = quotes > 0 ? `${'>'.repeat(quotes)} ` : '';
  return `${prefix}${indent}${text}`.trimEnd();
}

function isClose(style = ''): boolean {
  return noMargin.test(style) && !someMargin.test(style);
}

/** The mark of the next item of a list. */
function markOfNext(list: Open): string {
  if (list.number === null) return '- ';
  list.number += 1;
  return `${list.number - 1}. `;
}

function wordsOfPicture({ alt = '' }: Attributes): string {
  const words = alt.trim();
  return words ? `[${words}]` : '';
}

function isSameAddress(words: string, href: string): boolean {
  const bare = (address: string): string => address.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  return bare(words) === bare(href);
}
