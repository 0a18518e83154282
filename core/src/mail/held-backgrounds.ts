import { channelsIn } from './colour-channels.ts';

/*
 * Background pictures are never loaded. White text that was written for a dark picture would then
 * be on a white page. So the picture is replaced by a grey on which both white and black can be
 * read.
 */

type Attributes = Record<string, string>;

const grey = 'background-color: #707070';
/** Set by the sanitiser, and removed when it is done. */
export const heldMark = 'data-held';
const marked = ` ${heldMark}="1"`;
/** The brightness, up to 255, from which text counts as light. Darker text can be read on white. */
const lightest = 0xc0;
const lightNames = /^(?:white|whitesmoke|snow|ivory|ghostwhite|floralwhite|lightyellow)$/;

/**
 * Marks an element that has lost its background picture and has no background colour instead.
 * @param given the attributes as the sender wrote them
 * @param kept the attributes that the sanitiser keeps
 */
export function markHeld(given: Attributes, kept: Attributes): Attributes {
  const isLost = (given.background ?? '').trim() !== '' || hasPicture(given.style ?? '');
  return isLost && !hasBackground(kept) ? { [heldMark]: '1' } : {};
}

/**
 * The declarations of a rule. If its light text has lost its background picture, the grey is added.
 */
export function withGrey(style: string, given: string): string {
  const isLight = hasPicture(given) && !hasBackground({ style }) && hasLightText({ style });
  return isLight ? `${style}; ${grey}` : style;
}

/** Adds the grey to marked elements with light text. Takes linear time. */
export function fillHeld(html: string): string {
  if (!html.includes(marked)) return html;
  const filled = new Set<number>();
  const open: { index: number; isHeld: boolean; isOpaque: boolean }[] = [];
  for (const { index, 1: end, 3: written = '' } of html.matchAll(tag)) {
    if (end) open.pop();
    if (end || written.endsWith('/')) continue;
    const attributes = attributesOf(written);
    open.push({ index, isHeld: heldMark in attributes, isOpaque: hasBackground(attributes) });
    if (!hasLightText(attributes)) continue;
    const behind = open.findLast(({ isHeld, isOpaque }) => isHeld || isOpaque);
    if (behind?.isHeld) filled.add(behind.index);
  }
  return html.replace(tag, (whole, _end, _name, _written, index: number) => {
    if (!whole.includes(marked)) return whole;
    const plain = whole.replace(marked, '');
    if (!filled.has(index)) return plain;
    return plain.includes(' style="')
      ? plain.replace(' style="', ` style="${grey}; `)
      : plain.replace(/>$/, ` style="${grey}">`);
  });
}

const tag = /<(\/?)([a-z][a-z0-9]*)([^<>]*)>/g;

function attributesOf(written: string): Attributes {
  return Object.fromEntries(
    [...written.matchAll(/\s([a-z-]+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}

function hasPicture(style: string): boolean {
  return /\burl\(/i.test(style) && /background/i.test(style);
}

function hasBackground({ style = '', bgcolor = '' }: Attributes): boolean {
  return bgcolor.trim() !== '' || /(?:^|;)\s*background(?:-color|-image)?:\s*(?!none|transparent|inherit)/i.test(style);
}

function hasLightText({ style = '', color = '' }: Attributes): boolean {
  const declared = /(?:^|;)\s*color:([^;]*)/i.exec(style)?.[1] ?? color;
  const colour = declared.replace(/!.*/, '').trim().toLowerCase();
  const [channels] = channelsIn(colour);
  return channels ? Math.min(...channels) >= lightest : lightNames.test(colour);
}
