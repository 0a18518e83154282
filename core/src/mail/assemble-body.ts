import { cutToBytes } from './cut-text.ts';
import { joinFlowedLines } from './flowed-text.ts';
import type { TreeNode } from './mime-reader.ts';
import { escapeHtml } from './escape-html.ts';
import { textFromHtml } from './text-from-html.ts';

interface Piece {
  kind: 'text' | 'html';
  content: string;
  /** The message has the same text in the other form too, so this piece needs no conversion. */
  alternative: boolean;
}

/**
 * The text and the HTML of a message. Parts that follow each other (multipart/mixed) are joined.
 * Where only some of them are HTML, the others are converted, so that a reader of either form
 * misses none.
 */
export function assembleBody(root: TreeNode | null, maxBytes: number): { text: string | null; html: string | null } {
  const pieces = root ? listPieces(root, false) : [];
  const hasHtml = pieces.some((piece) => piece.kind === 'html');
  const hasText = pieces.some((piece) => piece.kind === 'text');
  // What is cut off later is not converted either
  for (const piece of pieces) piece.content = cutToBytes(piece.content, maxBytes);
  return {
    text: hasText ? cutToBytes(pieces.flatMap(textOf).join('\n'), maxBytes) : null,
    html: hasHtml ? cutToBytes(pieces.flatMap(htmlOf).join('<br>\n'), maxBytes) : null,
  };
}

function htmlOf(piece: Piece): string[] {
  if (piece.kind === 'html') return [piece.content];
  return piece.alternative ? [] : [`<div style="white-space: pre-wrap">${escapeHtml(piece.content)}</div>`];
}

function textOf(piece: Piece): string[] {
  if (piece.kind === 'text') return [piece.content];
  return piece.alternative ? [] : [textFromHtml(piece.content)];
}

function listPieces(node: TreeNode, alternative: boolean): Piece[] {
  const pieces: Piece[] = [];
  if (node.textContent && !node.isAttachment) {
    const { isFlowed = false, delSp = false } = node.node;
    const text = node.textContent.replaceAll('\0', '');
    const content = isFlowed ? joinFlowedLines(text, delSp) : text;
    pieces.push({ kind: node.contentType === 'text/html' ? 'html' : 'text', content, alternative });
  }
  const within = alternative || node.contentType === 'multipart/alternative';
  // MimeReader bounds the depth
  return node.children.reduce((all, child) => all.concat(listPieces(child, within)), pieces);
}
