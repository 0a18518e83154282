import { escapeHtml } from './escape-html.ts';

/**
 * Characters that no address in a text has: white space, and quotation marks, brackets and
 * punctuation of writing that puts no space between an address and what follows it.
 */
const outside = String.raw`\s<>"'\p{Cc}“”„‟‘’‚‹›«»「」『』【】〔〕〈〉《》（）［］｛｝，。、；：！？`;
const url = new RegExp(
  String.raw`(?:\bhttps?:\/\/[^${outside}]|(?<![\w./@-])www\.[\p{L}\p{N}])[^${outside}]*[^${outside}.,;:!?)\]}…]`,
  'iu',
);
const mailAddress = /(?<![\w.+/@-])[a-z0-9][\w.+-]{0,63}@(?:[a-z0-9-]{1,63}\.){1,8}[a-z]{2,24}(?![\w@-])/iu;
const linkable = new RegExp(`(${url.source})|${mailAddress.source}`, 'giu');
const deepest = 20;

/**
 * Plain text as HTML: line ends are kept, quoted lines become quotations, and URLs and mail
 * addresses become links. Lines of the same depth share an element, so that a text of blank lines
 * does not grow.
 */
export function textToHtml(text: string): string {
  let depth = 0;
  let html = '';
  let block: string[] = [];
  const endBlock = (): void => {
    if (block.length > 0) html += `<div style="white-space: pre-wrap">${linked(block.join('\n')) || '<br />'}</div>`;
    block = [];
  };
  for (const line of text.split(/\r\n|\r|\n/)) {
    const marks = /^(?:> ?)+/.exec(line)?.[0] ?? '';
    const wanted = Math.min(marks.replaceAll(' ', '').length, deepest);
    if (wanted !== depth) endBlock();
    for (; depth < wanted; depth += 1) html += '<blockquote>';
    for (; depth > wanted; depth -= 1) html += '</blockquote>';
    block.push(line.slice(marks.length));
  }
  endBlock();
  return html + '</blockquote>'.repeat(depth);
}

function linked(text: string): string {
  let html = '';
  let done = 0;
  for (const { 0: found, 1: page, index } of text.matchAll(linkable)) {
    html += escapeHtml(text.slice(done, index));
    done = page === undefined ? index + found.length : endOfAddress(text, index, index + found.length);
    const address = escapeHtml(text.slice(index, done));
    const scheme = page === undefined ? 'mailto:' : /^www/i.test(page) ? 'http://' : '';
    html += `<a href="${scheme}${address}" target="_blank" rel="noopener noreferrer">${address}</a>`;
  }
  return html + escapeHtml(text.slice(done));
}

/**
 * The end of an address. A bracket that was opened within the address may be closed by its last
 * character: `https://x.test/Mail_(app)`.
 */
function endOfAddress(text: string, start: number, foundEnd: number): number {
  let open = 0;
  for (let at = start; at < foundEnd; at += 1) {
    if (text[at] === '(') open += 1;
    else if (text[at] === ')' && open > 0) open -= 1;
  }
  let end = foundEnd;
  for (; open > 0 && text[end] === ')'; open -= 1) end += 1;
  return end;
}
