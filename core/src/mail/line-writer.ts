import { whiteSpaceOf } from './white-space.ts';

/*
 * HTML as plain text, element by element. The server hears of them from its parser of HTML, and the
 * webmail walks through a document.
 *
 * A block begins and ends a line, and some have a blank line around them. Each line of a quotation
 * begins with `> `, each item of a list with its mark, and a row of a table is one line where each
 * of its cells is. Strangers write the HTML, so no step looks at more than a bounded part of what
 * is written already.
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
/** Quotations, and lists, within each other that are told apart. */
const deepest = 20;
/** Lines that a cell may have for its row to be one line, blank ones included. */
const mostLinesOfCell = 20;
const longestCell = 1000;

/** What counts of the attributes of an element. */
type Attributes = Readonly<Partial<Record<'style' | 'href' | 'alt' | 'start', string>>>;

interface LinePlace {
  /** Quotations around it. */
  quotes: number;
  indent: string;
}

interface Line extends LinePlace {
  text: string;
  /** A space at its end swallows those that follow, and so does its beginning. */
  isSpaced: boolean;
}

/** An element that is open. */
interface Open extends LinePlace {
  name: string;
  /** Spaces and line ends count. */
  keepsSpace: boolean;
  /** Of the next item of an ordered list; null in other elements. */
  number: number | null;
  row: Row | null;
  /** A blank line stands around it. */
  isApart: boolean;
}

/** A row of a table, as long as it can become one line. */
interface Row {
  /** The mark of a list that the row stands in becomes its beginning. */
  around: LinePlace;
  from: number;
  isApart: boolean;
  quotesBefore: number;
  cells: string[];
  /** Where the cell before ended. Lines between two cells belong to neither. */
  end: number;
}

/** Writes the words of HTML line by line. */
export class LineWriter {
  private readonly isMarked: boolean;
  private readonly lines: string[] = [];
  /** Null until something stands in it, were it only a mark. */
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
  /** Quotations around the line before. */
  private quotesBefore = 0;
  /** Nothing but the mark of a list stands in the line. */
  private isMarkAlone = false;
  /** A blank line comes before the next one. */
  private isApart = false;
  /** Nothing was written yet, or nothing in the quotation that has begun. */
  private isAtStart = true;

  /** @param options `isMarked: false` leaves out what stands for quotations and ruled lines */
  constructor({ isMarked = true } = {}) {
    this.isMarked = isMarked;
  }

  /** What was written so far. */
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

  /** Closes the element that was opened last and is open yet. */
  close(): void {
    const closed = this.element;
    this.element = this.around.pop() ?? closed;
    if (closed.name === 'a') this.closeLink();
    else if (breaking.has(closed.name)) this.closeBlock(closed);
  }

  /** Text that stands in the element. */
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
    // Editors write a list within a list beside its items
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

  /** The row with the cell whose lines were written last; null where they are several. */
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

  /** A line end that stands in the text: the line may be empty. */
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
