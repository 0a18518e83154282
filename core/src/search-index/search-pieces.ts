import { searchPiece } from '../contracts/search.ts';

/** A piece of a search as `searchPiece` matches it, and how its brackets join it to others. */
export interface Piece {
  found: RegExpExecArray;
  /** It is excluded only together with the piece before it, as in `-subject:(mill loom)`. */
  isJoined: boolean;
}

/** `subject:(two words)`, `-(two words)` and `{one other}`, as other mail programs write them. */
const group = /(?<=^|\s)(?:(-?[a-z_]+:|-)\(([^()]*)\)|(-?(?:[a-z_]+:)?)\{([^{}]*)\})/gi;

/** The pieces of a search. Each piece in brackets gets the operator of its group. */
export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const found of text.matchAll(group)) {
    pieces.push(...plainPieces(text.slice(end, found.index)), ...groupPieces(found));
    end = found.index + found[0].length;
  }
  return [...pieces, ...plainPieces(text.slice(end))];
}

function plainPieces(text: string): Piece[] {
  return [...text.matchAll(searchPiece)].map((found) => ({ found, isJoined: false }));
}

/**
 * Expands a group. One of the pieces in braces is enough, so a minus before the braces applies to
 * each.
 */
function groupPieces([whole, ofAll, all, ofAny, any]: RegExpExecArray): Piece[] {
  const before = ofAll ?? ofAny ?? '';
  const within = [...(all ?? any ?? '').matchAll(searchPiece)].map(([piece]) => piece);
  if (within.length === 0) return plainPieces(whole);
  const written = within.map((piece) => (isJoiningWord(piece) ? piece : `${before}${piece}`));
  const isExcluded = before.startsWith('-');
  const pieces = plainPieces(written.join(any === undefined || isExcluded ? ' ' : ' OR '));
  if (all === undefined || !isExcluded) return pieces;
  return pieces.map((piece, index) => ({ ...piece, isJoined: index > 0 && pieces[index - 1]?.found[0] !== 'OR' }));
}

function isJoiningWord(piece: string): boolean {
  return /^(?:OR|AND|NOT)$/.test(piece);
}
