import DOMPurify from 'dompurify';

/** HTML without scripts, handlers, forms and frames. It was written by others: the server has sanitised it, and this does it once more. */
export function sanitizeHtml(html: string): string {
  return DOMPurify.sanitize(html, { USE_PROFILES: { html: true } });
}
