import type { ParsedAttachment } from './parsed-message.ts';

/** The content ids that HTML names in addresses as `cid:logo@x`. */
function contentIdsIn(html: string): ReadonlySet<string> {
  const names = Array.from(html.matchAll(/\bcid:([^\s"'<>()]+)/gi), ([, name = '']) => name.replaceAll('&amp;', '&'));
  return new Set([...names, ...names.map(decoded)]);
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A percent sign that encodes nothing: the id is meant as written
    return name;
  }
}

/**
 * Leaves to the text only its pictures. Some programs put files into multipart/related, or give
 * them a Content-ID, that no text shows: as parts of it, their reader would never see them.
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
