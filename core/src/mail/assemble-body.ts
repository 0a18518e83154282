import { cutToBytes } from './cut-text.ts';
import { joinFlowedLines } from './flowed-text.ts';
import type { TreeNode } from './mime-reader.ts';
import { escapeHtml } from './escape-html.ts';
import { textFromHtml } from './text-from-html.ts';

interface Piece {
  kind: 'text' | 'html';
  content: string;
  /** The message has the same text in the other form as well, so this piece needs no conversion. */
  hasOtherForm: boolean;
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
  if (node.contentType === 'multipart/alternative') markOtherForms(within);
  return [...pieceOf(node), ...within.flat()];
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
