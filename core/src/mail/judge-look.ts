import { channelsIn } from './colour-channels.ts';

/**
 * How much of its own look a text has. `plain` is text without markup. `simple` has no colours or
 * backgrounds of its own, and no pictures as its layout, so it can be shown on a page of any
 * colour. `designed` was made for a white page.
 */
export type Look = 'plain' | 'simple' | 'designed';

/** With more remote pictures than this, they are the layout, and not a signature below a letter. */
const mostRemotePictures = 3;
/** A grey that is at most this bright counts as black, and one from `lightest` on as white. */
const darkest = 0x99;
const lightest = 0xf0;
const spread = 0x20;

const textWords = new Set(
  'black gray grey dimgray dimgrey darkslategray windowtext canvastext text currentcolor auto inherit initial unset'.split(
    ' ',
  ),
);
const backgroundWords = new Set(
  'white window canvas none transparent inherit initial unset repeat no-repeat scroll top left center 0 0% 0px'.split(
    ' ',
  ),
);

/**
 * Whether the sanitised HTML of a message is `simple` or `designed`. Takes linear time. Programs
 * that write letters often set black as the colour of the text. That does not count as a colour,
 * nor do the colours of links, since the page has its own.
 */
export function lookOf({ html, sheet }: { html: string; sheet: string }): 'simple' | 'designed' {
  return isSimpleSheet(sheet) && isSimpleHtml(html) ? 'simple' : 'designed';
}

/** Sheets with media queries belong to newsletters; a sheet of a letter sets fonts and margins. */
function isSimpleSheet(sheet: string): boolean {
  if (sheet.includes('@media')) return false;
  return sheet.split('}').every((rule) => {
    const [selector = '', style = ''] = rule.split('{');
    const isOfLinks = selector.split(',').some((one) => /^\s*a(?![\w-])/.test(one));
    return isSimpleStyle(style, isOfLinks);
  });
}

function isSimpleHtml(html: string): boolean {
  let tables = 0;
  let remote = 0;
  for (const [, end, tag = '', attributes = ''] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)([^<>]*)>/gi)) {
    if (tag === 'table') tables += end ? -1 : 1;
    if (end) continue;
    // Tables in tables are columns, and pictures in them are tiles
    if (tables > 1 || (tag === 'img' && tables > 0)) return false;
    if (tag === 'img' && attributes.includes(' data-remote-src=') && !isDot(attributes)) remote += 1;
    if (remote > mostRemotePictures || !hasSimpleAttributes(attributes, tag === 'a')) return false;
  }
  return true;
}

/** Whether a picture has one pixel, by which a sender learns that a message is read. */
function isDot(attributes: string): boolean {
  return /\s(?:width|height)="[01]"/.test(attributes);
}

function hasSimpleAttributes(attributes: string, isLink: boolean): boolean {
  for (const [, name, value = ''] of attributes.matchAll(/\s(style|color|bgcolor)="([^"]*)"/g)) {
    if (name === 'bgcolor' && !isWhite(value)) return false;
    if (name === 'color' && !isLink && !isBlack(value)) return false;
    if (name === 'style' && !isSimpleStyle(value, isLink)) return false;
  }
  return true;
}

function isSimpleStyle(style: string, isLink: boolean): boolean {
  return style.split(';').every((declaration) => {
    const colon = declaration.indexOf(':');
    const property = declaration.slice(0, colon).trim().toLowerCase();
    const value = declaration.slice(colon + 1);
    // A colour with `!important`, even black, can't be replaced by another one
    if (property === 'color') return !value.includes('!') && (isLink || isBlack(value));
    return !property.startsWith('background') || isWhite(value);
  });
}

function isBlack(value: string): boolean {
  const colour = value.trim().toLowerCase();
  if (textWords.has(colour)) return true;
  const [channels] = channelsIn(colour);
  return channels !== undefined && Math.max(...channels) <= darkest && isGrey(channels);
}

function isWhite(value: string): boolean {
  const unseen = /rgba\([^)]*[,/]\s*0%?\s*\)/g;
  const colour = value.trim().toLowerCase().replace(unseen, 'transparent');
  const words = colour.replace(/#[0-9a-f]+|rgba?\([^)]*\)/g, ' ').trim();
  const colours = channelsIn(colour);
  const isKnown = words === '' || words.split(/\s+/).every((word) => backgroundWords.has(word));
  return isKnown && colours.every((channels) => Math.min(...channels) >= lightest);
}

function isGrey(channels: readonly number[]): boolean {
  return Math.max(...channels) - Math.min(...channels) <= spread;
}
