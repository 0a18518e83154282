import { parseSanitized } from '../../../lib/sanitize.ts';

const breaking = new Set(
  `
  address article aside blockquote center dd div dl dt figcaption figure footer form h1 h2 h3 h4 h5
  h6 header hr li main ol p pre section table tbody tfoot thead tr td th ul
`
    .trim()
    .split(/\s+/),
);
const apart = new Set(['p', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'ul', 'ol', 'table']);

/** The words of HTML, line by line. Each line of a quotation begins with `> `. */
export function textOfHtml(html: string): string {
  const writer = new LineWriter();
  writer.addChildren(parseSanitized(html, { forbid: ['style'] }).body, { quotes: 0, indent: '', keepsSpace: false });
  return writer.text();
}

interface Place {
  /** Quotations around it. */
  quotes: number;
  indent: string;
  /** Spaces and line ends count. */
  keepsSpace: boolean;
}

type LinePlace = Pick<Place, 'quotes' | 'indent'>;

interface Line extends LinePlace {
  text: string;
}

class LineWriter {
  private readonly lines: Line[] = [];
  /** Null until something stands in it, were it only a marker. */
  private line: Line | null = null;
  /** Quotations around the line before. */
  private quotesBefore = 0;
  /** Nothing but the marker of a list stands in it. */
  private isMarkerAlone = false;
  /** A blank line comes before the next one. */
  private isApart = false;
  /** Nothing was written yet, or nothing in the quotation that has begun. */
  private isAtStart = true;

  text(): string {
    if (this.line) this.lines.push(this.line);
    return this.lines.map(wordsOfLine).join('\n');
  }

  addChildren(parent: Node, place: Place): void {
    for (const node of parent.childNodes) {
      if (node instanceof Text) this.addText(node.data, place);
      else if (node instanceof Element) this.addElement(node, node.tagName.toLowerCase(), place);
    }
  }

  private addElement(element: Element, name: string, place: Place): void {
    const within = placeWithin(element, name, place);
    if (name === 'br') this.endLine(place);
    else if (name === 'img') this.addText(wordOfPicture(element), place);
    else if (name === 'a') this.addLink(element, within);
    else if (name === 'tr' && element.children.length > 1) this.addRow(element, within);
    else if (breaking.has(name)) this.addBlock(element, name, within, place);
    else this.addChildren(element, within);
  }

  private addBlock(element: Element, name: string, within: Place, around: Place): void {
    if (!this.isMarkerAlone) this.closeLine();
    const isApart = apart.has(name) && around.indent === '';
    this.isApart ||= isApart && !this.isAtStart;
    if (name === 'blockquote') this.isAtStart = true;
    if (name === 'hr') this.addText('----------', within);
    if (name === 'li') {
      this.begin(around, markerOf(element));
      this.isMarkerAlone = true;
    }
    this.addChildren(element, within);
    this.closeLine();
    this.isApart ||= isApart;
  }

  /**
   * A row of a table is one line, unless a cell has several. The cells are written one below the
   * other first: to convert them again would take twice as long for each table within another.
   */
  private addRow(row: Element, place: Place): void {
    if (!this.isMarkerAlone) this.closeLine();
    // The marker of a list that the row stands in becomes its beginning
    const around = this.line ?? place;
    const from = this.lines.length;
    const { isApart, quotesBefore } = this;
    const cells: string[] = [];
    for (const cell of row.children) {
      const start = this.lines.length;
      this.addElement(cell, cell.tagName.toLowerCase(), place);
      this.closeLine();
      const words = this.onlyLine(start, around);
      if (words !== null) cells.push(words);
    }
    if (cells.length < row.children.length) return;
    this.lines.length = from;
    this.isApart = isApart;
    this.quotesBefore = quotesBefore;
    this.begin(around, cells.join('\t'));
    this.closeLine();
  }

  /** The words of the lines from there on, as within this place; null where several have words. */
  private onlyLine(start: number, { quotes, indent }: LinePlace): string | null {
    let only = '';
    for (let at = start; at < this.lines.length; at += 1) {
      const line = this.lines[at];
      if (!line || line.text.trim() === '') continue;
      if (only !== '') return null;
      only = wordsOfLine({ quotes: line.quotes - quotes, indent: line.indent.slice(indent.length), text: line.text });
    }
    return only.trim();
  }

  private addLink(link: Element, place: Place): void {
    this.addChildren(link, place);
    const href = link.getAttribute('href') ?? '';
    const words = link.textContent?.trim() ?? '';
    if (/^https?:/i.test(href) && words !== '' && !isSameAddress(words, href)) this.addText(` <${href}>`, place);
  }

  private addText(text: string, place: Place): void {
    if (!place.keepsSpace) {
      const words = text.replace(/[ \t\r\n\f]+/g, ' ').replaceAll('\u200b', '');
      const isSpaced = !this.line?.text || /\s$/.test(this.line.text);
      this.append(isSpaced ? words.replace(/^ /, '') : words, place);
      return;
    }
    const [first = '', ...others] = text.split('\n');
    this.append(first, place);
    for (const line of others) {
      this.endLine(place);
      this.append(line, place);
    }
  }

  private append(text: string, place: Place): void {
    if (text === '') return;
    this.isMarkerAlone = false;
    const words = text.replaceAll('\u00a0', ' ');
    if (this.line) this.line.text += words;
    else this.begin(place, words);
  }

  private begin({ quotes, indent }: LinePlace, text: string): void {
    if (this.isApart) this.lines.push({ quotes: Math.min(quotes, this.quotesBefore), indent: '', text: '' });
    this.quotesBefore = quotes;
    this.isApart = false;
    this.isAtStart = false;
    this.line = { quotes, indent, text };
  }

  /** A line end that stands in the text: the line may be empty. */
  private endLine(place: Place): void {
    if (!this.line) this.begin(place, '');
    this.closeLine();
  }

  private closeLine(): void {
    if (this.line) this.lines.push(this.line);
    this.line = null;
    this.isMarkerAlone = false;
  }
}

function wordsOfLine({ quotes, indent, text }: Line): string {
  const prefix = quotes > 0 ? `${'>'.repeat(quotes)} ` : '';
  return `${prefix}${indent}${text}`.trimEnd();
}

function placeWithin(element: Element, name: string, { quotes, indent, keepsSpace }: Place): Place {
  const space = element instanceof HTMLElement ? element.style.whiteSpace : '';
  return {
    quotes: name === 'blockquote' ? quotes + 1 : quotes,
    indent: name === 'li' ? `${indent}  ` : indent,
    keepsSpace: name === 'pre' || (space === '' ? keepsSpace : space.startsWith('pre')),
  };
}

function markerOf(item: Element): string {
  const list = item.parentElement;
  if (list?.tagName !== 'OL') return '- ';
  const start = Number(list.getAttribute('start') ?? 1) || 1;
  return `${start + [...list.children].indexOf(item)}. `;
}

function wordOfPicture(image: Element): string {
  const words = image.getAttribute('alt')?.trim();
  return words ? `[${words}]` : '';
}

function isSameAddress(words: string, href: string): boolean {
  const bare = (address: string): string => address.replace(/^https?:\/\//i, '').replace(/\/$/, '');
  return bare(words) === bare(href);
}
