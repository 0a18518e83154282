import { longestWithPictures } from '../contracts/mail.ts';
import type { ParsedAttachment, ParsedMessage } from './parsed-message.ts';
import { type Addresses, isInlinePicture, sanitizeMailHtml } from './sanitize-html.ts';
import { escapeHtml } from './escape-html.ts';

/** A sent message in the form in which an editor can open it again. */
export interface DraftContent {
  body: string;
  /** Pictures that the body shows are `related`. All others become files of the draft. */
  attachments: ParsedAttachment[];
}

/**
 * The text of a sent message with its pictures in it, as far as the text stays short enough to be
 * saved.
 */
export function draftContent({ html, text, attachments }: ParsedMessage): DraftContent {
  if (html === null) {
    return { body: text ? `<div style="white-space: pre-wrap">${escapeHtml(text)}</div>` : '', attachments };
  }
  const shown = new Set<ParsedAttachment>();
  const inlineImages = picturesWithin(longestWithPictures - html.length, attachments, shown);
  const { html: body } = sanitizeMailHtml(html, { inlineImages });
  return { body, attachments: attachments.map((one) => ({ ...one, related: one.related && shown.has(one) })) };
}

/** Returns pictures by their content ids as `data:` URLs, as long as there is room for them. */
function picturesWithin(length: number, attachments: ParsedAttachment[], shown: Set<ParsedAttachment>): Addresses {
  const pictures = new Map(attachments.map((attachment) => [attachment.contentId, attachment]));
  let room = length;
  return {
    get: (contentId) => {
      const picture = pictures.get(contentId);
      if (!picture?.content) return undefined;
      const address = `data:${picture.contentType};base64,${picture.content.toString('base64')}`;
      if (address.length > room || !isInlinePicture(address)) return undefined;
      room -= address.length;
      shown.add(picture);
      return address;
    },
  };
}
