import { findFolds, type Range } from './fold-quotes.ts';
import { findLyingLinks, type LyingLink } from './lying-links.ts';
import type { Invitation } from './invitation.ts';
import { type Look, lookOf } from './judge-look.ts';
import type { ParsedMessage } from './parsed-message.ts';
import { type ListFields, MessageTooComplex, noList } from './parsed-message.ts';
import { sanitizeMailHtml } from './sanitize-html.ts';
import { escapeHtml } from './escape-html.ts';
import { isSealed } from './signed-content.ts';
import { textFromHtml } from './text-from-html.ts';
import { textToHtml } from './text-to-html.ts';

/** The text of a message as its reader sees it, bounded in size. */
export interface ShownMessage {
  /** Sanitised. Pictures of the message are `cid:<mark>.<n>`, see `fillPictures`. */
  html: string;
  /** A word before the numbers of pictures, which the sender cannot know. */
  mark: string;
  /** Content ids of the message's pictures by their number. */
  pictures: string[];
  hasRemoteContent: boolean;
  look: Look;
  /** Style sheets of the message, which can only change its look; '' when it has none. */
  sheet: string;
  /** Long quotes, which a page folds away. */
  folds: Range[];
  replyTo: ParsedMessage['replyTo'];
  list: ListFields;
  /** Links whose text names another host than their target. */
  links: LyingLink[];
  /** An invitation among the files, and the position of that file. */
  invitation: (Invitation & { index: number }) | null;
}

const maxReplyTo = 100;
/**
 * The most characters of plain text. A book has fewer; browsers take seconds to lay out much more.
 */
const maxText = 1_048_576;
/** The most characters of HTML, after the sanitiser. */
const maxHtml = 6 * 1_048_576;
/**
 * The most pictures. Each gets an address for its reader, which is much longer than the reference
 * in the message. The longest newsletters have some hundreds.
 */
const mostPictures = 2000;

const longer = notice('This message is longer than what is shown here.');

function notice(words: string): string {
  return `<p><strong>${words}</strong></p>`;
}

/**
 * A message's text as HTML that is safe to show (D20).
 * @param mark a word that the sender cannot know
 * @param asText shows the plain text of a message that has both forms, and only the words of a
 *   message that has HTML alone
 * @throws {MessageTooComplex} when there would be too much to show
 */
export function showMessage(parsed: ParsedMessage, mark: string, asText = false): Omit<ShownMessage, 'invitation'> {
  const pictures = [...new Set(parsed.attachments.flatMap(({ contentId }) => contentId ?? []))];
  const inlineImages = new Map(pictures.map((id, index) => [id, `cid:${mark}.${index}`]));
  const plain = asText || parsed.html === null ? showText(plainTextOf(parsed), parsed.isCut) : null;
  const shown = showSealed(parsed) ?? plain ?? showHtml(parsed, inlineImages);
  if (shown.html.length > maxHtml) throw new MessageTooComplex('too_long');
  return {
    ...shown,
    folds: findFolds(shown.html),
    mark,
    pictures,
    replyTo: parsed.replyTo.slice(0, maxReplyTo),
    list: parsed.list,
    links: findLyingLinks(shown.html),
  };
}

type ShownText = Pick<ShownMessage, 'html' | 'sheet' | 'hasRemoteContent' | 'look'>;

function showHtml({ html, isCut }: ParsedMessage, inlineImages: Map<string, string>): ShownText {
  const clean = sanitizeMailHtml(html ?? '', { inlineImages, mostPictures });
  return { ...clean, html: `${clean.html}${isCut ? longer : ''}`, look: lookOf(clean) };
}

/**
 * What is shown for a message whose text is encrypted; null when the message has a readable text.
 */
function showSealed({ text, html, attachments: [first, ...others] }: ParsedMessage): ShownText | null {
  if (html !== null || text?.trim() || !first) return null;
  const isOpenPgp = first.contentType === 'application/pgp-encrypted';
  const isSmime = others.length === 0 && isSealed(first.contentType, first.filename);
  if (!isOpenPgp && !isSmime) return null;
  const name = escapeHtml((others[0] ?? first).filename);
  const words = isOpenPgp
    ? `This message is encrypted with OpenPGP. It is in the file “${name}”, which a program that has your key opens.`
    : `This message is encrypted with S/MIME, or damaged. It is in the file “${name}”, which a mail program that has your certificate opens.`;
  return { html: notice(words), hasRemoteContent: false, sheet: '', look: 'plain' };
}

function plainTextOf({ text, html }: ParsedMessage): string {
  if (text?.trim() || html === null) return text ?? '';
  // Empty blocks in the HTML make its vertical spacing
  return textFromHtml(html).replace(/\n{3,}/g, '\n\n');
}

function showText(text: string, isCut: boolean): ShownText {
  const rest = isCut || text.length > maxText ? longer : '';
  return { html: `${textToHtml(text.slice(0, maxText))}${rest}`, hasRemoteContent: false, sheet: '', look: 'plain' };
}

/** Replaces the marks of pictures by their addresses, which `addressOf` gives for a content id. */
export function fillPictures({ html, mark, pictures }: ShownMessage, addressOf: (id: string) => string): string {
  if (pictures.length === 0) return html;
  return html.replace(new RegExp(`cid:${mark}\\.(\\d{1,4})`, 'g'), (_all, number: string) =>
    escapeHtml(addressOf(pictures[Number(number)] ?? '')),
  );
}

/** The beginning of a message that cannot be parsed, as plain text under a notice. */
export function showSource(beginning: string): string {
  const words = 'This message is built in a way that takes too much to read. This is the beginning of its source.';
  return `${notice(words)}<pre>${escapeHtml(beginning)}</pre>`;
}

/** What is shown for a message whose bytes are missing or damaged: the preview from its row. */
export function showLost(preview: string): ShownMessage {
  const words = 'The text of this message is missing or damaged on the server. Please tell your administrator.';
  const html = preview === '' ? notice(words) : `${notice(words)}<p>It began:</p>${textToHtml(preview)}`;
  return {
    html,
    mark: '',
    pictures: [],
    hasRemoteContent: false,
    look: 'plain',
    sheet: '',
    folds: [],
    replyTo: [],
    list: noList,
    links: [],
    invitation: null,
  };
}
