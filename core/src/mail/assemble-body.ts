import { cutToBytes } from './cut-text.ts';
import { joinFlowedLines } from './flowed-text.ts';
import type { TreeNode } from './mime-reader.ts';
import { escapeHtml } from './escape-html.ts';
import { textFromHtml, wordsFromHtml } from './text-from-html.ts';

interface Piece {
  kind: 'text' | 'html';
  content: string;
  /** The message has the same text in the other form as well, so this piece needs no conversion. */
  hasOtherForm: boolean;
  /** Its different words, once they were read. */
  words?: ReadonlySet<string>;
}

/** The text of a message in both forms, as far as it has them. */
export interface Body {
  text: string | null;
  html: string | null;
  /** Whether one of them lacks its end, because it is too long. */
  isCut: boolean;
}

/**
 * The text and the HTML of a message. Consecutive parts (multipart/mixed) are joined. If only some
 * of them are HTML, the others are converted, so that a reader of either form misses none.
 */
export function assembleBody(root: TreeNode | null, maxBytes: number): Body {
  const written = root ? listPieces(root) : [];
  // Some programs write a blank part for a form that they don't have
  const pieces = written.some(hasWords) ? written.filter(hasWords) : written;
  const hasHtml = pieces.some((piece) => piece.kind === 'html');
  const hasText = pieces.some((piece) => piece.kind === 'text');
  // Cutting first avoids the conversion of text that would be cut off later
  const parts = pieces.map((piece) => ({ ...piece, content: cutToBytes(piece.content, maxBytes) }));
  const isCut = parts.some(({ content }, index) => content !== pieces[index]?.content);
  const text = hasText ? parts.flatMap(textOf).join('\n') : null;
  const html = hasHtml ? parts.flatMap(htmlOf).join('<br>\n') : null;
  return cutBody({ text, html, isCut }, maxBytes);
}

/** The beginning of a text, at most this many bytes in each form. */
export function cutBody({ text, html, isCut }: Body, maxBytes: number): Body {
  const cut = { text: text && cutToBytes(text, maxBytes), html: html && cutToBytes(html, maxBytes) };
  return { ...cut, isCut: isCut || cut.text !== text || cut.html !== html };
}

function hasWords({ content }: Piece): boolean {
  return /\S/.test(content);
}

function htmlOf(piece: Piece): string[] {
  if (piece.kind === 'html') return [piece.content];
  return piece.hasOtherForm ? [] : [`<div style="white-space: pre-wrap">${escapeHtml(piece.content)}</div>`];
}

function textOf(piece: Piece): string[] {
  if (piece.kind === 'text') return [piece.content];
  return piece.hasOtherForm ? [] : [textFromHtml(piece.content)];
}

function listPieces(node: TreeNode): Piece[] {
  // MimeReader bounds the depth
  const within = node.children.map(listPieces);
  if (node.contentType !== 'multipart/alternative') return [...pieceOf(node), ...within.flat()];
  markOtherForms(within);
  return withoutVersions(within);
}

function pieceOf({ node, contentType, textContent, isAttachment }: TreeNode): Piece[] {
  if (!textContent || isAttachment) return [];
  const { isFlowed = false, delSp = false } = node;
  const text = textContent.replaceAll('\0', '');
  const content = isFlowed ? joinFlowedLines(text, delSp) : text;
  return [{ kind: contentType === 'text/html' ? 'html' : 'text', content, hasOtherForm: false }];
}

/** Marks pieces of an alternative that have the same text in the other form, in another part. */
function markOtherForms(parts: readonly Piece[][]): void {
  const kinds = parts.map((pieces) => new Set(pieces.filter(hasWords).map(({ kind }) => kind)));
  for (const [at, pieces] of parts.entries()) {
    for (const piece of pieces) {
      const other = piece.kind === 'html' ? 'text' : 'html';
      piece.hasOtherForm ||= kinds.some((found, index) => index !== at && found.has(other));
    }
  }
}

/** The share of all their words that two versions of a text have in common. */
const shareOfVersions = 0.8;

/**
 * Leaves out each text of an alternative of which the last part in the same form is another
 * version, such as one for other screens (RFC 2046 5.1.4). A footer that some programs put into an
 * alternative has other words, so that the text before it stays.
 */
function withoutVersions(parts: readonly Piece[][]): Piece[] {
  const lastOf = (kind: Piece['kind']) => {
    const isOfKind = (piece: Piece): boolean => piece.kind === kind && hasWords(piece);
    const index = parts.findLastIndex((pieces) => pieces.some(isOfKind));
    const [piece, ...others] = parts[index]?.filter(isOfKind) ?? [];
    // A text in pieces is no version of one, and comparing it at each level of a nest takes long
    return { index, piece: others.length > 0 ? undefined : piece };
  };
  const lasts = { text: lastOf('text'), html: lastOf('html') };
  return parts.flatMap((pieces, index) =>
    pieces.filter((piece) => {
      const last = lasts[piece.kind];
      return last.index <= index || last.piece === undefined || !areVersions(piece, last.piece);
    }),
  );
}

function areVersions(one: Piece, other: Piece): boolean {
  const [words, others] = [wordsIn(one), wordsIn(other)];
  const common = [...words].filter((word) => others.has(word)).length;
  return common > 0 && common >= shareOfVersions * Math.max(words.size, others.size);
}

function wordsIn(piece: Piece): ReadonlySet<string> {
  const { kind, content } = piece;
  piece.words ??= new Set(wordsOf(kind === 'html' ? wordsFromHtml(content) : content));
  return piece.words;
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}
