import type { ParsedMessage } from './parsed-message.ts';
import { sanitizeMailHtml } from './sanitize-html.ts';
import { escapeHtml } from './escape-html.ts';

/** The text of a sent message as an editor can open it again, with its pictures in it. */
export function draftBody({ html, text, attachments }: ParsedMessage): string {
  if (html === null) return text ? `<div style="white-space: pre-wrap">${escapeHtml(text)}</div>` : '';
  const inlineImages = new Map<string, string>();
  for (const { contentId, contentType, content } of attachments) {
    if (contentId && content) inlineImages.set(contentId, `data:${contentType};base64,${content.toString('base64')}`);
  }
  return sanitizeMailHtml(html, { inlineImages }).html;
}
