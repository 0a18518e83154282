import { filterStyle } from './filter-style.ts';
import { withGrey } from './held-backgrounds.ts';

/** The text of a `<style>` element, and the media that it is for; '' for all. */
interface Sheet {
  css: string;
  media: string;
}

/** A style sheet that can only change the look of its own message. */
export interface FilteredSheet {
  css: string;
  /** The classes and ids that its rules name, as the message writes them. */
  names: ReadonlySet<string>;
}

/** In characters, of all sheets of a message. Newsletters have some 20,000. */
const maxSheet = 262_144;
const maxRules = 2000;
const maxSelector = 300;
const maxQuery = 300;
const maxDepth = 20;

/** No strings, brackets, escapes or functions, so a selector can't end its rule. */
const plainSelector = /^[\w\s.#*>+~:-]+$/;
/**
 * A selector of a custom element, such as the frame's own: its name has a hyphen, and none in the
 * text has.
 */
const ownElement = /(?:^|[\s>+~])[a-z]\w*-/i;
const pseudoClasses = new Set(['hover', 'link', 'visited', 'active', 'first-child', 'last-child']);
/** The last part of a selector that may name the frame's own page. */
const pageItself = /^(?:html|body|\*)?(?::[\w-]+)*$/i;
/** Only widths are allowed: a rule about the frame's height could make the frame grow. */
const widthQuery =
  /^(?:(?:only\s+)?(?:screen|all|print))?(?:\s*(?:and\s*)?\(\s*(?:max|min)-(?:device-)?width\s*:\s*[\d.]{1,8}(?:px|r?em)\s*\))*$/i;

/** A media type that means a screen of any width. */
const everyScreen = /^(?:only\s+)?(?:screen|all)$/i;

/**
 * Keeps the rules of style sheets that a style attribute could also have, with plain selectors and
 * media queries on widths (D41). The result is written anew from parts that were each checked. All
 * else is dropped: `@import`, `@font-face`, addresses, positions, variables, escapes. A sheet
 * closes its open blocks at its end, as in a browser, so that it can't affect the next one. Takes
 * linear time on any text.
 */
export function filterSheets(sheets: readonly Sheet[]): FilteredSheet {
  const kept: Kept = { names: new Set(), rules: 0 };
  const written: string[] = [];
  let room = maxSheet;
  for (const { css, media } of sheets) {
    if (room <= 0 || kept.rules >= maxRules) break;
    written.push(...forMedia(media, () => scanRules(withoutComments(cutSheet(css, room)), kept)));
    room -= css.length;
  }
  return { css: written.join('\n'), names: kept.names };
}

/** What was kept from the sheets so far. */
interface Kept {
  names: Set<string>;
  /** The number of rules, including those of which nothing is kept. */
  rules: number;
}

/** Cuts a sheet after a whole rule: half a rule could have another meaning. */
function cutSheet(css: string, room: number): string {
  return css.length <= room ? css : css.slice(0, css.lastIndexOf('}', room - 1) + 1);
}

function forMedia(media: string, scan: () => string[]): string[] {
  const isForAll = media.trim() === '' || media.split(',').some((one) => everyScreen.test(one.trim()));
  if (isForAll) return scan();
  const query = plainQuery(media);
  return query === null ? [] : inMedia(query, scan());
}

function inMedia(query: string, rules: readonly string[]): string[] {
  return rules.length === 0 ? [] : [`@media ${query}{\n${rules.join('\n')}\n}`];
}

function plainQuery(text: string): string | null {
  const query = text.replace(/\s+/g, ' ').trim();
  const parts = query.split(',').map((one) => one.trim());
  return query.length <= maxQuery && parts.every((one) => one !== '' && widthQuery.test(one)) ? query : null;
}

/**
 * The class in place of a class or an id of the message. Its name does not occur in the web app.
 */
export function sheetClass(kind: '.' | '#', name: string): string {
  return `${kind === '.' ? 'm' : 'i'}-${name}`;
}

/** The `<style>` elements of a page, except for those in comments. */
export function sheetsOf(html: string): Sheet[] {
  const marks = /<!--|<style\b[^<>]{0,1000}>/gi;
  const end = /<\/style/gi;
  const sheets: Sheet[] = [];
  for (let mark = marks.exec(html); mark; mark = marks.exec(html)) {
    if (mark[0] === '<!--') {
      const close = html.indexOf('-->', mark.index);
      if (close < 0) break;
      marks.lastIndex = close + 3;
      continue;
    }
    end.lastIndex = marks.lastIndex;
    const close = end.exec(html);
    if (!close) break;
    sheets.push({ css: html.slice(marks.lastIndex, close.index), media: mediaOf(mark[0]) });
    marks.lastIndex = close.index;
  }
  return sheets;
}

function mediaOf(tag: string): string {
  const [, double, single, bare] = /\smedia\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag) ?? [];
  return double ?? single ?? bare ?? '';
}

function withoutComments(css: string): string {
  let kept = '';
  let from = 0;
  for (let open = css.indexOf('/*'); open >= 0; open = css.indexOf('/*', from)) {
    kept += `${css.slice(from, open)} `;
    const close = css.indexOf('*/', open + 2);
    if (close < 0) return kept;
    from = close + 2;
  }
  return (kept + css.slice(from)).replace(/<!--|-->/g, ' ');
}

type Block = { kind: 'media'; query: string; rules: string[] } | { kind: 'rule'; selector: string } | { kind: 'other' };

/** Walks through the braces. Skips unknown blocks, and blocks within a rule. */
function scanRules(css: string, kept: Kept): string[] {
  const done: string[] = [];
  const open: Block[] = [];
  let start = 0;
  const closed = css.includes('{') ? css + '}'.repeat(maxDepth) : '';
  for (const { 0: sign, index } of closed.matchAll(/[{};]/g)) {
    const inner = open.at(-1);
    // This comes before the text is read: otherwise each declaration would read the rule again
    if (sign === ';' && inner?.kind === 'rule') continue;
    const text = closed.slice(start, index).trim();
    start = index + 1;
    if (sign === '{') open.push(openBlock(text, open));
    if (sign === '{' && open.length > maxDepth) break;
    if (sign !== '}') continue;
    open.pop();
    const into = open.at(-1)?.kind === 'media' ? (open.at(-1) as Extract<Block, { kind: 'media' }>).rules : done;
    if (inner?.kind === 'rule' && ++kept.rules <= maxRules) into.push(...writeRule(inner.selector, text, kept.names));
    if (inner?.kind === 'media') done.push(...inMedia(inner.query, inner.rules));
  }
  return done;
}

function openBlock(text: string, open: readonly Block[]): Block {
  const isInMedia = open.length === 1 && open[0]?.kind === 'media';
  if (!text.startsWith('@') && (open.length === 0 || isInMedia)) return { kind: 'rule', selector: text };
  const [, given] = /^@media\s+([^]{1,300})$/i.exec(text) ?? [];
  const query = open.length > 0 || given === undefined ? null : plainQuery(given);
  return query === null ? { kind: 'other' } : { kind: 'media', query, rules: [] };
}

function writeRule(selector: string, text: string, names: Set<string>): string[] {
  const style = withGrey(filterStyle(text), text);
  if (style === '' || selector.length > maxSelector * 10) return [];
  const kept = selector.split(',').flatMap((one) => writeSelector(one.trim(), names));
  const isOfPage = kept.some((one) => pageItself.test(one.split(/[\s>+~]/).at(-1) ?? ''));
  const written = isOfPage ? withoutOverflow(style) : style;
  return kept.length === 0 || written === '' ? [] : [`${kept.join(',')}{${written}}`];
}

/** If the page hid its overflow, a wide or very long text could not be scrolled. */
function withoutOverflow(style: string): string {
  const kept = style.split('; ').filter((declaration) => !/^overflow(?:-[xy])?:/.test(declaration));
  return kept.join('; ');
}

function writeSelector(selector: string, names: Set<string>): string[] {
  if (selector.length > maxSelector || !plainSelector.test(selector) || ownElement.test(selector)) return [];
  const pseudos = [...selector.matchAll(/:([^\s.#*>+~]*)/g)].map(([, name = '']) => name.toLowerCase());
  if (pseudos.some((name) => !pseudoClasses.has(name))) return [];
  const written = selector.replace(/([.#])([\w-]+)/g, (_all, kind: '.' | '#', name: string) => {
    names.add(kind + name);
    return `.${sheetClass(kind, name)}`;
  });
  return [written.replace(/\s+/g, ' ')];
}
