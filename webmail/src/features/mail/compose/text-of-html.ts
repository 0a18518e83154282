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

class LineWriter {
  private readonly lines: string[] = [];
  private line = '';
  /** Quotations around the line before. */
  private quotesBefore = 0;
  /** Something stands in the line, were it only a marker. */
  private isBegun = false;
  /** Nothing but the marker of a list stands in it. */
  private isMarkerAlone = false;
  /** A blank line comes before the next one. */
  private isApart = false;
  /** Nothing was written yet, or nothing in the quotation that has begun. */
  private isAtStart = true;

  text(): string {
    if (this.isBegun) this.lines.push(this.line.trimEnd());
    return this.lines.join('\n');
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
    else if (name === 'tr' && this.addRow(element, within)) return;
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

  /** A row of a table is one line, unless a cell has several. */
  private addRow(row: Element, place: Place): boolean {
    const cells = [...row.children].map((cell) => {
      const writer = new LineWriter();
      writer.addChildren(cell, { quotes: 0, indent: '', keepsSpace: place.keepsSpace });
      return writer.text().trim();
    });
    if (cells.length < 2 || cells.some((cell) => cell.includes('\n'))) return false;
    this.closeLine();
    this.begin(place, cells.join('\t'));
    this.closeLine();
    return true;
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
      const isSpaced = this.line === '' || /\s$/.test(this.line);
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
    if (this.isBegun) this.line += text.replaceAll('\u00a0', ' ');
    else this.begin(place, text.replaceAll('\u00a0', ' '));
  }

  private begin({ quotes, indent }: Place, text: string): void {
    const prefix = quotes > 0 ? `${'>'.repeat(quotes)} ` : '';
    if (this.isApart) this.lines.push('>'.repeat(Math.min(quotes, this.quotesBefore)));
    this.quotesBefore = quotes;
    this.isApart = false;
    this.isAtStart = false;
    this.line = `${prefix}${indent}${text}`;
    this.isBegun = true;
  }

  /** A line end that stands in the text: the line may be empty. */
  private endLine(place: Place): void {
    if (!this.isBegun) this.begin(place, '');
    this.closeLine();
  }

  private closeLine(): void {
    if (this.isBegun) this.lines.push(this.line.trimEnd());
    this.line = '';
    this.isBegun = false;
    this.isMarkerAlone = false;
  }
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
