import unhomoglyph from 'unhomoglyph';
import { fold } from './person-words.ts';

/**
 * The words of a name, for comparing it with another one. Letters of another script that look like
 * Latin ones count as these.
 */
export function nameWords(name: string): string[] {
  const plain = name.slice(0, 255).replaceAll(/[^\p{ASCII}]/gu, plainest);
  return [...new Set(fold(plain).split(/[^\p{L}\p{N}]+/u))].filter((word) => word !== '');
}

/** A letter that looks like one of ASCII as that; any other one as it is. */
function plainest(sign: string): string {
  const like = unhomoglyph(sign);
  return /^[a-z]+$/i.test(like) ? like : sign;
}
