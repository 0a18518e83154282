import { whiteSpaceOf } from './white-space.ts';

const tagOrText = /<(\/?)([a-z0-9]+)([^>]*)>|[^<]+/g;
/**
 * Values of `white-space`, besides the element `pre`, whose spaces are kept. `pre-line` does not
 * keep runs of spaces.
 */
const keeping = new Set(['pre', 'pre-wrap', 'break-spaces']);

/** How white space is treated in an element. */
interface Place {
  isPre: boolean;
  keepsSpace: boolean;
}

/**
 * Replaces line ends by elements, and spaces by no-break spaces, in elements where only a style
 * preserves them. Outlook for Windows ignores that style, and would show a quoted plain text as one
 * paragraph. The HTML comes from the sanitiser, so its tags are balanced and what looks like a tag
 * is one.
 */
export function breakLines(html: string): string {
  const around: Place[] = [];
  let place: Place = { isPre: false, keepsSpace: false };
  return html.replace(tagOrText, (piece, slash: string, name: string | undefined, attributes: string) => {
    if (name === undefined) return place.keepsSpace && !place.isPre ? withBreaks(piece) : piece;
    if (slash !== '') {
      place = around.pop() ?? place;
    } else if (!attributes.endsWith(' /')) {
      around.push(place);
      place = placeWithin(place, name, attributes);
    }
    return piece;
  });
}

function placeWithin({ isPre, keepsSpace }: Place, name: string, attributes: string): Place {
  const space = whiteSpaceOf(/ style="([^"]*)"/.exec(attributes)?.[1]);
  return { isPre: isPre || name === 'pre', keepsSpace: space === '' ? keepsSpace : keeping.has(space) };
}

/** The last of several spaces stays a normal one, so that lines can still break there. */
function withBreaks(text: string): string {
  return text.replace(/(?<=\n) | (?= )/g, '\u00a0').replace(/\r\n|\r|\n/g, '<br />');
}
