import type { EmailDto } from '@selvage/core/contracts/email';
import { frameScript, frameScriptSource } from '@selvage/core/contracts/mail-frame';
import { sanitizeHtml } from '../../lib/sanitize.ts';
import { darkMailPaper, mailPaper } from '../../theme/mail-paper.ts';
import { foldQuotes, leaveOutQuotes } from './fold-quotes.ts';

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
 * Links open in a new tab without an opener or a referrer, except links to a place in the text.
 * Pictures of the message itself get the address of this server.
 */
function adjustLinks(page: Document, origin: string): void {
  for (const link of page.querySelectorAll('a[href]:not([href^="#"]), area[href]')) {
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

const variablesOf = (colours: typeof mailPaper): string =>
  Object.entries(colours)
    .map(([name, colour]) => `--${name}: ${colour}`)
    .join('; ');

/**
 * No mail can use one of the variables, because the filters refuse their characters. Each line of
 * plain text is aligned by its own direction. `.flowing` is as wide as 62 digits, which is about 80
 * letters.
 */
export const textStyles = `
.plain div { unicode-bidi: plaintext; }
.flowing { max-width: 62ch; }
img { max-width: 100%; height: auto; }
img[data-remote-src]:not([src]):is(:not([alt]), [alt='']) { display: none; }
td, th { overflow-wrap: break-word; }
pre { white-space: pre-wrap; font-size: 13px; }
blockquote { margin-block: 8px; margin-inline: 8px 0; padding-inline-start: 12px; border-inline-start: 2px solid var(--hairline); color: var(--quiet); }
summary { cursor: pointer; width: max-content; padding: 2px 10px; margin: 8px 0; border-radius: 10px; background: var(--raised); color: var(--quiet); font-size: 13px; }
a { color: var(--link); }
`;

/** The font of a text whose sender sets none. */
export const bodyFont = "font: 15px/1.5 'Segoe UI', system-ui, -apple-system, Arial, sans-serif";

/** The styles of every document, before the sender's own. */
export const frameStyles = `
:root { color-scheme: light; ${variablesOf(mailPaper)} }
html.designed { background: var(--paper); }
body { display: flow-root; margin: 0; padding: 16px; ${bodyFont}; color: var(--ink); overflow-wrap: anywhere; }
.plain body, .simple body { padding-inline: 0; }
${textStyles}
`;

/**
 * For a message with no colours but black and white: these become the colours of the paper.
 * Pictures may be drawn in black on nothing, so they keep white behind them.
 */
const darkStyles = `
@media screen {
:root { color-scheme: dark; ${variablesOf(darkMailPaper)} }
html, body { background: none !important; color: var(--ink) !important; }
body *:not(summary, mark, img) { background: none !important; border-color: var(--hairline) !important; }
body *:not(a, blockquote, summary, mark) { color: inherit !important; }
blockquote { color: var(--quiet) !important; }
a { color: var(--link) !important; }
img { background: ${mailPaper.paper}; }
}
`;

const MOST_CHARACTERS = 80;

/**
 * Marks plain text with long lines. A text that its sender has broken into lines is left alone:
 * breaking it once more would leave every other line with one word.
 */
function markFlowing(page: Document): void {
  for (const block of page.querySelectorAll('div')) {
    const lines = (block.textContent ?? '').split('\n');
    if (lines.some(({ length }) => length > MOST_CHARACTERS)) block.className = 'flowing';
  }
}

const length = /^([\d.]+)(px|in|pt|pc|cm|mm)?$/;

/**
 * Lets a picture whose sender gives both measures keep their ratio where the pane makes it
 * narrower. A picture of one pixel that holds a distance open keeps the measures that it is given.
 */
function keepRatio(image: HTMLImageElement): void {
  const { style } = image;
  const [, width = 0, unit] = length.exec(style.width || (image.getAttribute('width') ?? '')) ?? [];
  const [, height = 0, sameUnit] = length.exec(style.height || (image.getAttribute('height') ?? '')) ?? [];
  if (!(Number(width) > 0 && Number(height) > 0) || unit !== sameUnit) return;
  style.aspectRatio = `${width} / ${height}`;
  style.height = 'auto';
}

interface Cleaning extends Pick<Shown, 'origin' | 'imagesPath' | 'look' | 'isForward'> {
  quotes: 'folded' | 'left out' | 'whole';
}

/** The body of a message as a document shows it: cleaned, with links and pictures adjusted. */
export function cleanBody(html: string, { origin, imagesPath, look, quotes, isForward }: Cleaning): string {
  const page = parseHtml(html);
  if (look === 'plain') markFlowing(page);
  adjustLinks(page, origin);
  for (const image of page.querySelectorAll('img')) keepRatio(image);
  if (imagesPath !== null) showRemote(page, `${origin}${imagesPath}`);
  const quoting = { isForward, isDesigned: look === 'designed' };
  if (quotes === 'folded') foldQuotes(page, quoting);
  if (quotes === 'left out') leaveOutQuotes(page, quoting);
  return sanitizeHtml(page.body.innerHTML, { forbid: forbiddenTags, keep: ['target'] });
}

/** A message in a frame. */
export interface Shown {
  html: string;
  /** The message's own style sheets, as the server has filtered them. */
  sheet: string;
  /** The path at which this server fetches remote pictures; null while they are held back. */
  imagesPath: string | null;
  /** The origin of this page, from which pictures of the message are loaded. */
  origin: string;
  look: EmailDto['look'];
  /** The message forwards another one (`isForward`). */
  isForward: boolean;
}

/** What a frame shows. */
interface Framed extends Shown {
  /** The page is dark. Messages that are not made for white paper are dark as well. */
  isDark: boolean;
}

/**
 * Builds the document that a message is shown in, for `srcdoc` of a frame with an opaque origin.
 * Its own content security policy admits one script: the one of this app (D41). The server has
 * sanitised the HTML before and this does it once more. Remote pictures come from this server
 * alone, which fetches them when the reader asks (D42).
 */
export function frameDocument({ html, sheet, isDark, ...shown }: Framed): string {
  const { origin, look } = shown;
  const styles = [frameStyles, safeSheet(sheet), isDark && look !== 'designed' ? darkStyles : ''];
  return documentOf({ origin, look, styles, body: cleanBody(html, { ...shown, quotes: 'folded' }) });
}

interface Whole extends Pick<Shown, 'origin' | 'look'> {
  styles: readonly string[];
  body: string;
}

/** A document that loads only pictures of this host, and runs only the script of this app. */
export function documentOf({ origin, look, styles, body }: Whole): string {
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
    `<!doctype html><html class="${look}" style="height:auto!important;min-height:0!important">`,
    '<head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
    '<meta name="referrer" content="no-referrer"><meta name="viewport" content="width=device-width">',
    ...styles.map((sheet) => `<style>${sheet}</style>`),
    `</head><body dir="auto">${body}</body><script>${frameScript}</script></html>`,
  ].join('');
}

/** The server never sends a sheet with these characters. A sheet that has them is dropped. */
export function safeSheet(sheet: string): string {
  return /[<\\@]/.test(sheet.replaceAll('@media ', '')) ? '' : sheet;
}
