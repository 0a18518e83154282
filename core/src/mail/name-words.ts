import unhomoglyph from 'unhomoglyph';
import { fold } from './person-words.ts';

/**
 * The words of a name, for a comparison with another name. Letters of other scripts that look like
 * Latin letters are replaced by these.
 */
export function nameWords(name: string): string[] {
  const plain = name.slice(0, 255).replaceAll(/[^\p{ASCII}]/gu, plainest);
  return [...new Set(fold(plain).split(/[^\p{L}\p{N}]+/u))].filter((word) => word !== '');
}

/** A character that looks like an ASCII letter is replaced by that letter; any other one stays. */
function plainest(sign: string): string {
  const like = unhomoglyph(sign);
  return /^[a-z]+$/i.test(like) ? like : sign;
}
