import { escapeHtml } from '@selvage/core/mail/escape-html';
import { textToHtml } from '@selvage/core/mail/text-to-html';
import { noteChoice } from '../../../lib/choices.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { storageKeys } from '../../../lib/storage-keys.ts';
import { parseSanitized } from '../../../lib/sanitize.ts';
import { quoteWords } from '../../../words/compose.ts';
import { signatureHtml } from './signature.ts';
import { textOfHtml } from './text-of-html.ts';

/*
 * A message that is written as plain text. Where it is stored as HTML, such as in a draft on the
 * server, it is one block that preserves spaces and line ends. This form shows later that the text
 * is plain.
 */

/** A plain text in the form in which texts are kept. */
export function htmlOfPlain(text: string): string {
  return `<div style="white-space: pre-wrap">${escapeHtml(text)}</div>`;
}

/** The plain text that is kept in this form; null for a text that has formats. */
export function plainOf(html: string): string | null {
  const { body } = parseSanitized(html);
  const [block] = body.children;
  const isAlone = block instanceof HTMLDivElement && body.childNodes.length === 1 && block.children.length === 0;
  const isMarked = isAlone && block.style.cssText.replaceAll(' ', '') === 'white-space:pre-wrap;';
  return isMarked && block.getAttributeNames().length === 1 ? (block.textContent ?? '') : null;
}

/**
 * A plain text as formatted text. If the text still ends with the signature, the signature gets its
 * formats back. `signature` is sanitised HTML.
 */
export function htmlOfText(text: string, signature: string): string {
  const words = textOfHtml(signature);
  const at = findLines(text, words);
  if (at === -1) return textToHtml(text);
  const below = text.slice(at + words.length).replace(/^\n/, '');
  return `${textToHtml(text.slice(0, at).replace(/\n$/, ''))}${signatureHtml(signature)}${below ? textToHtml(below) : ''}`;
}

const formats = 'img, table, ul, ol, b, strong, i, em, u, s, strike, del, sub, sup, h1, h2, h3, h4, h5, h6, font, mark';
const styles = ['color', 'backgroundColor', 'textAlign', 'fontWeight', 'fontStyle', 'textDecorationLine'] as const;
const usualSizes = new Set(['', '11pt', '1em', '100%', 'medium']);

/** Whether anything is lost when the text becomes plain. */
export function hasFormats(html: string): boolean {
  const { body } = parseSanitized(html);
  if (body.querySelector(formats)) return true;
  const links = [...body.querySelectorAll('a[href]')];
  if (links.some((link) => !link.getAttribute('href')?.includes(link.textContent?.trim() || '\n'))) return true;
  return [...body.querySelectorAll<HTMLElement>('[style]')].some(
    ({ style }) =>
      styles.some((name) => style[name] !== '') || !usualSizes.has(style.fontSize) || style.direction === 'rtl',
  );
}

/**
 * A text with its signature replaced. In a text without a signature, the new one goes above the
 * quote.
 */
export function withSignature(text: string, { previous, next }: { previous: string; next: string }): string {
  const [old, put] = [textOfHtml(previous), textOfHtml(next)];
  const at = findLines(text, old);
  if (at !== -1) return `${text.slice(0, at)}${put}${text.slice(at + old.length)}`;
  if (put === '') return text;
  const quoteAt = startOfQuote(text);
  return `${text.slice(0, quoteAt).trimEnd()}\n\n${put}\n${quoteAt < text.length ? `\n${text.slice(quoteAt)}` : ''}`;
}

/** Where the quoted or forwarded message begins; the end of the text if there is none. */
function startOfQuote(text: string): number {
  const answered = /^(?:[^\n]*:\n{1,2})?>/m.exec(text)?.index ?? -1;
  const places = [answered, findLines(text, wordsOf(quoteWords).forwarded)].filter((at) => at !== -1);
  return Math.min(text.length, ...places);
}

/**
 * The first place where the words are whole lines, or -1. Lines of a quotation begin with `>`, so
 * they do not match, and a forwarded message comes last.
 */
function findLines(text: string, words: string): number {
  if (words === '') return -1;
  return `\n${text}\n`.indexOf(`\n${words}\n`);
}

/** Whether the person chose plain text for the message before this one. */
export function isPlainPreferred(): boolean {
  return localStorage.getItem(storageKeys.writing) === 'plain';
}

/** Remembers the choice, on this device and for the others. */
export function preferPlain(isPlain: boolean): void {
  try {
    if (isPlain) localStorage.setItem(storageKeys.writing, 'plain');
    else localStorage.removeItem(storageKeys.writing);
    noteChoice({ plain_text: isPlain });
  } catch {
    // The device is full. The choice holds for this message
  }
}
