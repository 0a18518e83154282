import type { ParsedAttachment } from './parsed-message.ts';

/**
 * The start of a picture up to its address. It stops at the next tag, so that a text of nothing but
 * `<img` takes linear time.
 */
const picture = /<img\b[^<]*?\ssrc\s*=\s*(?:["']\s*)?cid:([^\s"'<>()]+)/gi;

/**
 * The content ids of the pictures that HTML shows, such as `logo@x` of `<img src="cid:logo@x">`.
 * Sanitising drops all other uses, such as links and backgrounds.
 */
function contentIdsIn(html: string): ReadonlySet<string> {
  const names = Array.from(withoutComments(html).matchAll(picture), ([, name = '']) => name.replaceAll('&amp;', '&'));
  return new Set([...names, ...names.map(decoded)]);
}

function withoutComments(html: string): string {
  let [kept, at] = ['', 0];
  for (let start = html.indexOf('<!--'); start >= 0; start = html.indexOf('<!--', at)) {
    kept += html.slice(at, start);
    const end = html.indexOf('-->', start + 4);
    if (end < 0) return kept;
    at = end + 3;
  }
  return kept + html.slice(at);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A percent sign that encodes nothing: the id is used as written
    return name;
  }
}

/**
 * Sets `related` only for pictures that the text shows. Some programs put files into
 * multipart/related, or give them a Content-ID, although no text shows them. As parts of the text
 * they would never be seen.
 */
export function leavePictures(attachments: readonly ParsedAttachment[], html: string | null): void {
  const related = attachments.filter((attachment) => attachment.related);
  if (related.length === 0) return;
  const named = contentIdsIn(html ?? '');
  for (const attachment of related) {
    const { contentType, contentId } = attachment;
    attachment.related = contentType.startsWith('image/') && contentId !== null && named.has(contentId);
  }
}
