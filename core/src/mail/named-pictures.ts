import type { ParsedAttachment } from './parsed-message.ts';

/** The content ids in addresses of HTML, such as `cid:logo@x`. */
function contentIdsIn(html: string): ReadonlySet<string> {
  const names = Array.from(html.matchAll(/\bcid:([^\s"'<>()]+)/gi), ([, name = '']) => name.replaceAll('&amp;', '&'));
  return new Set([...names, ...names.map(decoded)]);
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
