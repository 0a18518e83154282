import { wordsOf } from '../../lib/i18n.ts';
import { readingWords } from '../../words/reading.ts';

const LONG_QUOTE = 160;

/**
 * The first line above a quote of Outlook, in the languages in which it is most often used. The
 * others (Sent, To, Subject) are known by their form.
 */
const fromLabel =
  /^(?:from|von|de|da|van|från|fra|od|от|lähettäjä|feladó|kimden|από|מאת|من|差出人|发件人|寄件者|보낸 사람) ?[:：]$/iu;
const anyLabel = /^[\p{L}\p{M} -]{1,24}[:：]$/u;
/** A quote of Outlook says at least who wrote it, when and about what. */
const FEWEST_LABELS = 3;
/** How many parts with such labels are examined. A message has only a few before its quote. */
const MOST_PARTS = 50;

/** What decides which parts of a message are quotes of the mail that it answers. */
export interface Quoting {
  /** The message forwards another one, which its reader has not seen. */
  isForward: boolean;
  /**
   * The message has its own styles, as a newsletter has, whose quotes may be of books or people.
   */
  isDesigned: boolean;
}

/** Folds long quotes away, unless the message is nothing but the quote. */
export function foldQuotes(page: Document, quoting: Quoting): void {
  findQuotes(page, quoting, (quote) => {
    const details = page.createElement('details');
    const summary = page.createElement('summary');
    summary.textContent = wordsOf(readingWords).showQuoted;
    details.append(summary);
    quote[0]?.parentNode?.insertBefore(details, quote[0]);
    details.append(...quote);
  });
}

/** Leaves out what `foldQuotes` folds, for paper, where nothing can be unfolded. */
export function leaveOutQuotes(page: Document, quoting: Quoting): void {
  findQuotes(page, quoting, (quote) => {
    const line = page.createElement('div');
    line.append(page.createElement('em'));
    line.firstElementChild?.append(`[${wordsOf(readingWords).quotesLeftOut}]`);
    quote[0]?.parentNode?.insertBefore(line, quote[0]);
    for (const node of quote) node.parentNode?.removeChild(node);
  });
}

/** Nodes of one parent, one after another. */
type Quote = readonly Node[];

function findQuotes(page: Document, { isForward, isDesigned }: Quoting, take: (quote: Quote) => void): void {
  if (isForward) return;
  const takeAll = (quotes: readonly Quote[]): void => {
    if (isMoreThan(quotes, page.body)) quotes.forEach(take);
  };
  for (const find of [outlookQuote, plainQuote, wordedQuote]) {
    const unmarked = find(page);
    if (unmarked.length === 0) continue;
    takeAll([unmarked]);
    break;
  }
  const quotes = [...page.querySelectorAll('blockquote')].filter(
    (quote) =>
      !quote.parentElement?.closest('blockquote, details') &&
      textLength(quote) > LONG_QUOTE &&
      !(isDesigned && hasTextAfter(quote, page.body)),
  );
  takeAll(quotes.map((quote) => [quote]));
}

/** Whether a message has more than its quotes. */
function isMoreThan(quotes: readonly Quote[], body: Element): boolean {
  const quoted = quotes.flat().reduce((sum, node) => sum + textLength(node), 0);
  return textLength(body) - quoted >= 1;
}

/** Characters without spaces, so that the parts of a text come to the same as the whole. */
function textLength(node: Node): number {
  return (node.textContent ?? '').replace(/\s+/g, '').length;
}

/**
 * Outlook marks no quote as one: below a line across the page stand From, Sent, To and Subject in
 * bold, and what follows is the quoted message.
 */
function outlookQuote(page: Document): Node[] {
  const labels = [...page.querySelectorAll('b, strong')].filter(({ textContent }) =>
    fromLabel.test(textContent.trim()),
  );
  const parts = new Set(labels.map((label) => label.closest('p, div, td')));
  for (const lines of [...parts].slice(0, MOST_PARTS)) {
    if (lines === null || lines.closest('blockquote') || labelsIn(lines) < FEWEST_LABELS) continue;
    const first = belowLine(lines, page.body);
    if (first === null) continue;
    const nodes = [first, ...following(first)];
    if (nodes.reduce((sum, node) => sum + textLength(node), 0) > LONG_QUOTE) return nodes;
  }
  return [];
}

/** The line above a quote of Outlook in a plain text: a long one, or "Original Message". */
const plainLine =
  /^(?:_{10,}|-{3,} ?(?:original |ursprüngliche |message d.origine|mensaje original|messaggio orig|mensagem orig|oorspronk|wiadomość oryg|původní |исходное |原始|元の|원본)[^\n]{0,40}-{2,})\s*$/i;
/** How many lines after such a line are searched for labels. */
const MOST_LABEL_LINES = 8;

/** The same in a plain text, whose labels stand at the beginning of lines. */
function plainQuote(page: Document): Node[] {
  for (const block of page.body.children) {
    if (!(block instanceof HTMLElement) || block.style.whiteSpace !== 'pre-wrap') continue;
    const start = startOfPlainQuote(block.textContent ?? '');
    if (start === null) continue;
    const first = splitBlock(block, start);
    const nodes = [first, ...following(first)];
    return nodes.reduce((sum, node) => sum + textLength(node), 0) > LONG_QUOTE ? nodes : [];
  }
  return [];
}

function startOfPlainQuote(text: string): number | null {
  const lines = text.split('\n');
  let start = 0;
  for (const [index, line] of lines.entries()) {
    const below = lines.slice(index + 1, index + 1 + MOST_LABEL_LINES);
    if (plainLine.test(line) && areLabels(below.filter((one) => one.trim() !== ''))) return start;
    start += line.length + 1;
  }
  return null;
}

/** Whether texts begin with From, and have the other labels of a quote. */
function areLabels(texts: readonly string[]): boolean {
  const labels = texts.flatMap((one) => /^\*?([^:：]{1,24}[:：])/.exec(one)?.[1] ?? []);
  const [first = ''] = labels;
  const isQuote = fromLabel.test(first) && texts[0]?.includes(first);
  return isQuote === true && labels.filter((label) => anyLabel.test(label)).length >= FEWEST_LABELS;
}

/** How many texts after such a line are searched for labels: labels, values and links. */
const MOST_LABEL_TEXTS = 24;

/** The same in HTML without a line across the page, as Samsung, QQ and AOL write it. */
function wordedQuote(page: Document): Node[] {
  const walker = page.createTreeWalker(page.body, NodeFilter.SHOW_TEXT);
  const texts: [node: Node, text: string][] = [];
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const text = (node.textContent ?? '').replace(/\s+/g, ' ').trim();
    if (text !== '') texts.push([node, text]);
  }
  for (const [index, [node, line]] of texts.entries()) {
    const below = texts.slice(index + 1, index + 1 + MOST_LABEL_TEXTS).map(([, text]) => text);
    if (!plainLine.test(line) || !areLabels(below) || node.parentElement?.closest('blockquote')) continue;
    let first = node;
    while (first.parentNode !== null && first.parentNode !== page.body && !hasTextBefore(first)) {
      first = first.parentNode;
    }
    const nodes = [first, ...following(first)];
    return nodes.reduce((sum, one) => sum + textLength(one), 0) > LONG_QUOTE ? nodes : [];
  }
  return [];
}

/** Moves the content after the first `start` characters of a block into a new block. */
function splitBlock(block: Element, start: number): Element {
  const range = block.ownerDocument.createRange();
  range.selectNodeContents(block);
  const texts = block.ownerDocument.createTreeWalker(block, NodeFilter.SHOW_TEXT);
  let seen = 0;
  for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
    const { length } = node.textContent ?? '';
    if (start <= seen + length) {
      range.setStart(node, start - seen);
      break;
    }
    seen += length;
  }
  const rest = block.cloneNode(false) as Element;
  rest.append(range.extractContents());
  block.after(rest);
  return rest;
}

function labelsIn(lines: Element): number {
  return [...lines.querySelectorAll('b, strong')].filter(({ textContent }) => anyLabel.test(textContent.trim())).length;
}

/**
 * The outermost element that begins with these lines, or the `hr` above it; null if there is no
 * line across the page.
 */
function belowLine(lines: Element, body: Element): Element | null {
  let part = lines;
  let hasBorder = isRuled(part);
  while (part.parentElement !== null && part.parentElement !== body && !hasTextBefore(part)) {
    part = part.parentElement;
    hasBorder ||= isRuled(part);
  }
  const above = part.previousElementSibling;
  if (above?.tagName === 'HR') return above;
  return hasBorder ? part : null;
}

function isRuled(element: Element): boolean {
  return element instanceof HTMLElement && element.style.borderTopStyle === 'solid';
}

function hasTextBefore(part: Node): boolean {
  for (let node = part.previousSibling; node !== null; node = node.previousSibling) {
    if (textLength(node) > 0 || node.nodeName === 'HR') return true;
  }
  return false;
}

/** Whether anything is written between the end of an element and the end of the message. */
function hasTextAfter(element: Element, body: Element): boolean {
  for (let part: Element | null = element; part !== null && part !== body; part = part.parentElement) {
    if (following(part).some((node) => textLength(node) > 0)) return true;
  }
  return false;
}

function following(part: Node): Node[] {
  const nodes: Node[] = [];
  for (let node = part.nextSibling; node !== null; node = node.nextSibling) nodes.push(node);
  return nodes;
}
