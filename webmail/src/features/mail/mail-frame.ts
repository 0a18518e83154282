import { frameScript, frameScriptSource } from '@selvage/core/contracts/mail-frame';
import { wordsOf } from '../../lib/i18n.ts';
import { sanitizeHtml } from '../../lib/sanitize.ts';
import { mailPaper } from '../../theme/mail-paper.ts';
import { readingWords } from '../../words/reading.ts';

/**
 * Builds the document that a message is shown in. It runs in a frame of an opaque origin, under a
 * policy of its own that admits one script: ours (D41). The server has sanitised the HTML before
 * and this does it once more. Remote pictures come from this server alone, which fetches
 * them when the reader asks (D42).
 */
const forbiddenTags = [
  'form',
  'input',
  'button',
  'textarea',
  'select',
  'svg',
  'math',
  'audio',
  'video',
  'base',
  'link',
];

function parseHtml(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html');
}

/**
 * Links leave the frame in a new tab that knows nothing of us; own pictures get the address of this
 * server.
 */
function adjustLinks(page: Document, origin: string): void {
  for (const link of page.querySelectorAll('a[href], area[href]')) {
    link.setAttribute('target', '_blank');
    link.setAttribute('rel', 'noopener noreferrer');
  }
  for (const image of page.querySelectorAll('img[src^="/upload/"]')) {
    image.setAttribute('src', `${origin}${image.getAttribute('src')}`);
  }
}

function showRemote(page: Document, path: string): void {
  for (const image of page.querySelectorAll('img[data-remote-src]')) {
    image.setAttribute('src', `${path}?url=${encodeURIComponent(image.getAttribute('data-remote-src') ?? '')}`);
  }
}

const LONG_QUOTE = 200;

function textLength(node: Node): number {
  return (node.textContent ?? '').replace(/\s+/g, ' ').trim().length;
}

/** Folds long quotes away, unless the message is nothing but the quote. */
function foldQuotes(page: Document): void {
  const quotes = [...page.querySelectorAll('blockquote, .gmail_quote')].filter(
    (quote) => !quote.parentElement?.closest('blockquote, .gmail_quote') && textLength(quote) > LONG_QUOTE,
  );
  const quoted = quotes.reduce((sum, quote) => sum + textLength(quote), 0);
  if (textLength(page.body) - quoted < 1) return;
  for (const quote of quotes) {
    const details = page.createElement('details');
    const summary = page.createElement('summary');
    summary.textContent = wordsOf(readingWords).showQuoted;
    quote.replaceWith(details);
    details.append(summary, quote);
  }
}

const frameStyles = `
html { color-scheme: light; background: ${mailPaper.paper}; }
body { display: flow-root; margin: 0; padding: 16px; font: 15px/1.5 'Segoe UI', system-ui, -apple-system, Arial, sans-serif; color: ${mailPaper.ink}; overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; }
img[data-remote-src]:not([src]) { display: none; }
td, th { overflow-wrap: break-word; }
pre { white-space: pre-wrap; font-family: inherit; }
blockquote { margin: 8px 0 8px 8px; padding-left: 12px; border-left: 2px solid ${mailPaper.hairline}; color: ${mailPaper.quiet}; }
summary { cursor: pointer; width: max-content; padding: 2px 10px; margin: 8px 0; border-radius: 10px; background: ${mailPaper.raised}; color: ${mailPaper.quiet}; font-size: 13px; }
a { color: ${mailPaper.link}; }
body > header { margin-bottom: 16px; padding-bottom: 12px; border-bottom: 1px solid ${mailPaper.hairline}; color: ${mailPaper.quiet}; }
body > header > * { margin: 0; font-size: 13px; }
body > header > h1 { margin-bottom: 8px; font-size: 20px; color: ${mailPaper.ink}; }
`;

interface Cleaning extends Pick<Framed, 'origin' | 'imagesPath'> {
  hasFolds: boolean;
}

function cleanBody(html: string, { origin, imagesPath, hasFolds }: Cleaning): string {
  const page = parseHtml(html);
  adjustLinks(page, origin);
  if (imagesPath !== null) showRemote(page, `${origin}${imagesPath}`);
  if (hasFolds) foldQuotes(page);
  return sanitizeHtml(page.body.innerHTML, { forbid: forbiddenTags, keep: ['target'] });
}

/** What a frame shows. */
interface Framed {
  html: string;
  /** The message's own style sheets, as the server has filtered them. */
  sheet: string;
  /** At which this server fetches remote pictures; null while they are held back. */
  imagesPath: string | null;
  /** Of this page, which pictures of the message come from. */
  origin: string;
  /** What stands above the text on paper: the subject, then lines of text. */
  head?: readonly string[];
}

/** The whole document for `srcdoc`. */
export function frameDocument({ html, sheet, imagesPath, origin, head = [] }: Framed): string {
  const policy = [
    "default-src 'none'",
    `script-src ${frameScriptSource}`,
    `img-src ${origin} data:`,
    "style-src 'unsafe-inline'",
    "form-action 'none'",
    "base-uri 'none'",
  ].join('; ');
  return [
    // A sender's `html { height: 100% }` would be as tall as the frame, which then never shrinks
    '<!doctype html><html style="height:auto!important;min-height:0!important"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">',
    `<style>${frameStyles}</style><style>${safeSheet(sheet)}</style></head><body dir="auto">`,
    headOnPaper(head),
    // Nothing is folded away on paper
    cleanBody(html, { origin, imagesPath, hasFolds: head.length === 0 }),
    `</body><script>${frameScript}</script></html>`,
  ].join('');
}

function headOnPaper([subject, ...lines]: readonly string[]): string {
  if (subject === undefined) return '';
  const page = document.implementation.createHTMLDocument();
  const head = page.createElement('header');
  for (const [tag, text] of [['h1', subject], ...lines.map((line) => ['p', line])] as [string, string][]) {
    const element = page.createElement(tag);
    element.textContent = text;
    head.append(element);
  }
  return head.outerHTML;
}

/** The server gives no sheet with these signs; one that had them is not shown. */
function safeSheet(sheet: string): string {
  return /[<\\@]/.test(sheet.replaceAll('@media ', '')) ? '' : sheet;
}
