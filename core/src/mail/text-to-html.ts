import { escapeHtml } from './escape-html.ts';

const url = /\bhttps?:\/\/[^\s<>"'\p{Cc}]+[^\s<>"'.,;:!?)\]}\p{Cc}]/giu;
const MAX_DEPTH = 20;

/**
 * Plain text as HTML: line ends are kept, quoted lines become quotations and URLs become links.
 * Lines of the same depth share an element, so that a text of blank lines does not grow.
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
    const wanted = Math.min(marks.replaceAll(' ', '').length, MAX_DEPTH);
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
  for (const match of text.matchAll(url)) {
    html += escapeHtml(text.slice(done, match.index));
    const address = escapeHtml(match[0]);
    html += `<a href="${address}" target="_blank" rel="noopener noreferrer">${address}</a>`;
    done = match.index + match[0].length;
  }
  return html + escapeHtml(text.slice(done));
}
