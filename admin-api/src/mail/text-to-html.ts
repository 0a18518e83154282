import { escapeHtml } from '@selvage/core/mail/text-from-html';

const url = /\bhttps?:\/\/[^\s<>"'\p{Cc}]+[^\s<>"'.,;:!?)\]}\p{Cc}]/giu;
const MAX_DEPTH = 20;

/** Plain text as HTML: line ends are kept, quoted lines become quotations and URLs become links. */
export function textToHtml(text: string): string {
  let depth = 0;
  let html = '';
  for (const line of text.split(/\r\n|\r|\n/)) {
    const marks = /^(?:> ?)+/.exec(line)?.[0] ?? '';
    const wanted = Math.min(marks.replaceAll(' ', '').length, MAX_DEPTH);
    for (; depth < wanted; depth += 1) html += '<blockquote>';
    for (; depth > wanted; depth -= 1) html += '</blockquote>';
    html += `<div style="white-space: pre-wrap">${linked(line.slice(marks.length)) || '<br />'}</div>`;
  }
  return html + '</blockquote>'.repeat(depth);
}

function linked(line: string): string {
  let html = '';
  let done = 0;
  for (const match of line.matchAll(url)) {
    html += escapeHtml(line.slice(done, match.index));
    const address = escapeHtml(match[0]);
    html += `<a href="${address}" target="_blank" rel="noopener noreferrer">${address}</a>`;
    done = match.index + match[0].length;
  }
  return html + escapeHtml(line.slice(done));
}
