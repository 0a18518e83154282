import { wordsFromHtml } from './text-from-html.ts';

const maxLength = 200;
const scanned = 20_000;
/**
 * Most mail has its first words within this many characters. Reading all of `scanned` takes far
 * longer.
 */
const beginning = 1000;
/**
 * Newsletters fill their preview with invisible characters. A joiner between two letters, or two
 * parts of an emoji, is part of the text, so it is kept (Unicode 23.2.1). U+FFFC is a placeholder
 * for a file.
 */
const invisible =
  /((?<=[\p{L}\p{M}\p{Extended_Pictographic}\u{1f3fb}-\u{1f3ff}])[\u200c\u200d](?=[\p{L}\p{Extended_Pictographic}]))|(\u200d)|[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0\ufffc]+/gu;

/** Text of ASCII alone, in which only white space is invisible. To find that out is cheap. */
const ordinary = /^[\t\n\r\x20-\x7e]*$/;

/** The first words of a message in one line of at most 200 characters. */
export function previewOf(body: { text: string | null; html: string | null }): string {
  const fromText = firstWords((body.text ?? '').slice(0, scanned));
  const html = body.html ?? '';
  if (fromText && !isStandIn(fromText, html)) return fromText;
  // Most HTML has its first words soon. More of it is read only if style sheets and the like come
  // first
  const soon = firstWords(wordsFromHtml(html.slice(0, scanned)));
  if (soon.length >= maxLength || html.length <= scanned) return soon;
  return firstWords(wordsFromHtml(html.slice(0, scanned * 10)).slice(0, scanned));
}

/** The number of letters by which two texts are compared. */
const tellingLetters = 20;

/**
 * Whether a short text, such as "Please switch on HTML", only replaces HTML with another text,
 * which is what the reader sees.
 */
function isStandIn(text: string, html: string): boolean {
  if (html === '' || text.length >= maxLength) return false;
  const words = lettersOf(wordsFromHtml(html.slice(0, scanned)));
  const beginning = lettersOf(text).slice(0, tellingLetters);
  return words.length >= tellingLetters && !words.includes(beginning);
}

function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Addresses of links, after their words. With an address for tracking, the preview would show
 * little else.
 */
const targets = /[<([]\s*https?:\/\/[^\s<>()[\]]{1,2000}\s*[>)\]]/gi;

function firstWords(text: string): string {
  const soon = lineOf(withoutCutTarget(text.slice(0, beginning)).replace(targets, ' '));
  if (soon.length > maxUnits) return cut(soon);
  // Some send a text of quoted lines alone
  return cut(lineOf(text.replace(targets, ' ')) || lineOf(text) || lineOf(text.replace(/^[> ]+/gm, '')));
}

/**
 * Removes an address that the end of the text has cut in two: the rest of it would look like words.
 */
function withoutCutTarget(text: string): string {
  return text.replace(/[<([]\s*https?:\/\/[^\s<>()[\]]*$/i, '');
}

function lineOf(text: string): string {
  const shown = text.replace(/^>.*$/gm, ' ');
  return (ordinary.test(shown) ? shown : withoutInvisible(shown)).replace(/\s+/g, ' ').trim();
}

/** The text with a space in place of invisible characters. */
export function withoutInvisible(text: string): string {
  return text.replace(invisible, (_all, joiner?: string, lone?: string) => joiner ?? (lone === undefined ? ' ' : ''));
}

/** The most UTF-16 units of the preview: a character has one or two. */
const maxUnits = maxLength * 2;

function cut(line: string): string {
  const characters = Array.from(line.slice(0, maxUnits));
  return characters.length <= maxLength && line.length <= maxLength
    ? line
    : `${characters
        .slice(0, maxLength - 1)
        .join('')
        .trimEnd()}…`;
}
