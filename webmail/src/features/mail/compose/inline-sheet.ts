/*
 * A quoted text becomes part of another message, where its style sheet does not apply. So the rules
 * of the sheet are written into the `style` of each element, as mail programs do it.
 */

/** A rule of a sheet, for a wide screen. */
interface Rule {
  selector: string;
  style: string;
  /** The specificity. The heavier rule wins; of two equal ones, the later one. */
  weight: number;
}

/** A screen that is wider than any phone's, in pixels. */
const SCREEN_WIDTH = 1024;
const EM = 16;
/**
 * The most comparisons of a rule with an element, for all rules together. A browser needs about a
 * second for that many.
 */
const MOST_LOOKS = 20_000_000;
/** The most characters of style that are written. The longest newsletters need a third of it. */
const MOST_STYLE = 1_000_000;

/** The beginning of a query, a rule, or the end of a query. The server writes no other signs. */
const parts = /@media ([^{}]*)\{|([^{}]+)\{([^{}]*)\}|\}/g;
const widths = /\((max|min)-(?:device-)?width\s*:\s*([\d.]+)(px|r?em)\s*\)/gi;
/** Selectors that depend on what the person does with a link cannot be written into an element. */
const ofPerson = /:(?:hover|active|visited)/i;
const boxes = 'div, p, center, section, article, header, footer, blockquote, h1, h2, h3, h4, h5, h6';

/** Writes the rules of a sheet, as the server has filtered it, into the elements of a page. */
export function inlineSheet(page: Document, sheet: string): void {
  let room = MOST_STYLE;
  for (const [element, rules] of findRules(page, sheet)) {
    const styles = rules.toSorted((one, other) => one.weight - other.weight).map(({ style }) => style);
    room -= styles.reduce((sum, { length }) => sum + length, 0);
    if (room < 0) return;
    // The element's own style comes last and wins, except over `!important` rules of the sheet
    element.setAttribute('style', [...styles, element.getAttribute('style') ?? ''].join('; '));
  }
}

/** The rules for each element, in the order of the sheet. */
function findRules(page: Document, sheet: string): Map<Element, Rule[]> {
  const found = new Map<Element, Rule[]>();
  const most = Math.ceil(MOST_LOOKS / page.querySelectorAll('*').length);
  for (const rule of rulesOf(sheet).slice(0, most)) {
    for (const element of findAll(page, rule.selector)) {
      const known = found.get(element);
      if (known) known.push(rule);
      else if (page.body.contains(element)) found.set(element, [rule]);
    }
  }
  return found;
}

/**
 * Removes hidden elements, such as the preview texts of newsletters. The editor drops styles that
 * hide, so it would show them.
 */
export function removeHidden(page: Document): void {
  for (const element of page.body.querySelectorAll<HTMLElement>('[style]')) {
    if (isHidden(element)) element.remove();
  }
}

function isHidden(element: HTMLElement): boolean {
  const { display, visibility, opacity } = element.style;
  if (display === 'none' || parseFloat(opacity) === 0 || isClippedAway(element)) return true;
  return visibility === 'hidden' && !element.querySelector('[style*="visibility: visible"]');
}

/** Cells grow with what they hold, and a word in a line has no height of its own. */
function isClippedAway(element: HTMLElement): boolean {
  const { display, overflow, height, maxHeight, width, maxWidth } = element.style;
  const isBox = /^(?:inline-)?block$/.test(display) || (display === '' && element.matches(boxes));
  return overflow === 'hidden' && isBox && [height, maxHeight, width, maxWidth].some((size) => parseFloat(size) === 0);
}

function rulesOf(sheet: string): Rule[] {
  const rules: Rule[] = [];
  let isShown = true;
  for (const [, query, selectors, style = ''] of sheet.matchAll(parts)) {
    if (query !== undefined) isShown = isForScreen(query);
    else if (selectors === undefined) isShown = true;
    else if (isShown) rules.push(...selectors.split(',').map((selector) => ruleOf(selector.trim(), style)));
  }
  return rules.filter(({ selector }) => !ofPerson.test(selector));
}

function ruleOf(selector: string, style: string): Rule {
  const classes = selector.match(/[.:]/g)?.length ?? 0;
  const elements = selector.match(/(?<![\w.:-])[a-z]/gi)?.length ?? 0;
  return { selector, style, weight: classes * 1000 + elements };
}

function isForScreen(media: string): boolean {
  return media.split(',').some((query) => !/\bprint\b/i.test(query) && [...query.matchAll(widths)].every(isMet));
}

function isMet([, kind, number, unit]: RegExpMatchArray): boolean {
  const width = Number(number) * (unit?.toLowerCase() === 'px' ? 1 : EM);
  return kind?.toLowerCase() === 'max' ? SCREEN_WIDTH <= width : SCREEN_WIDTH >= width;
}

/** An invalid selector matches nothing, as in a style sheet. */
function findAll(page: Document, selector: string): Iterable<Element> {
  try {
    return page.querySelectorAll(selector);
  } catch {
    return [];
  }
}
