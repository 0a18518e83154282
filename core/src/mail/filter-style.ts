const maxStyleLength = 10_000;
const maxValueLength = 200;

const properties = new Set(
  `
  color background background-color opacity direction unicode-bidi float clear display font
  font-family font-size font-style font-variant font-weight letter-spacing line-height text-align
  text-decoration text-indent text-transform vertical-align white-space word-break word-spacing
  word-wrap overflow-wrap width max-width min-width height max-height min-height margin margin-top
  margin-right margin-bottom margin-left padding padding-top padding-right padding-bottom
  padding-left border border-top border-right border-bottom border-left border-color border-style
  border-width border-radius border-collapse border-spacing table-layout caption-side empty-cells
  list-style-type box-sizing background-image visibility overflow overflow-x overflow-y
`
    .trim()
    .split(/\s+/),
);
/** The text scrolls only with its page, so no part of it may have a scroll bar of its own. */
const overflows = /^(?:hidden|visible)$/i;
/** The allowed values of these properties. */
const keywords = new Map([
  [
    'display',
    /^(?:none|block|inline|inline-block|table|inline-table|table-(?:row|cell|row-group|header-group|footer-group)|list-item)$/i,
  ],
  ['visibility', /^(?:hidden|visible|collapse)$/i],
  ['overflow', overflows],
  ['overflow-x', overflows],
  ['overflow-y', overflows],
]);
const backgrounds = new Set(['background', 'background-image']);
/** The words of a background other than colours. */
const backgroundWords = new Set(
  `
  none transparent inherit initial unset repeat repeat-x repeat-y no-repeat space round scroll fixed
  local top right bottom left center auto cover contain border-box padding-box content-box
`
    .trim()
    .split(/\s+/),
);
/** The address may contain a semicolon, which ends a declaration elsewhere. */
const address = /\burl\((?:[^"'()\\]|"[^"\\]*"|'[^'\\]*')*\)/gi;
const noAddress = 'url()';
const gradient = /\b(?:linear|radial)-gradient\([\p{L}\p{N}\s#%.,+-]*\)/giu;
const colourFunction = /\b(?:rgba?|hsla?)\([\d\s.,%/]*\)/gi;
// No parentheses, colons, escapes, comments or at-rules, so nothing that could name an address or a
// variable
const plainValue = /^[\p{L}\p{N}\s#%.,'"!/+-]*$/u;
/**
 * Lengths relative to the height of the frame. The frame is as high as its content, so it would
 * grow.
 */
const heightUnit = /\d(?:[sld]?v(?:h|min|max|b|i)|cq(?:h|b|min|max))\b/i;

/**
 * The declarations of a style attribute that only change the look of text. A declaration that could
 * load something, move its element out of its place on the page or read a variable is dropped. A
 * background loses its pictures but keeps its colours, since the colour of the text was chosen for
 * them.
 */
export function filterStyle(style: string): string {
  if (style.length > maxStyleLength) return '';
  return style
    .replace(address, noAddress)
    .split(';')
    .flatMap((declaration) => {
      const colon = declaration.indexOf(':');
      const property = declaration.slice(0, colon).trim().toLowerCase();
      const given = declaration.slice(colon + 1).trim();
      const value = backgrounds.has(property) ? withoutPictures(given) : given;
      return colon > 0 && isHarmless(property, value) ? [`${property}: ${value}`] : [];
    })
    .join('; ');
}

/** Whether a style would load something from another server, even when it tries to hide that. */
export function styleLoadsContent(style: string): boolean {
  return /url|image-set|src\s*\(|@import|\\/i.test(style.slice(0, maxStyleLength));
}

/**
 * Removes the pictures of a background. If nothing else is left, returns '', so that an earlier
 * declaration applies.
 */
function withoutPictures(value: string): string {
  if (!value.includes(noAddress)) return value;
  const rest = value.replaceAll(noAddress, 'none');
  const words = rest.toLowerCase().split(/[\s,/]+/);
  const hasColour = /[#(]/.test(rest) || words.some((word) => /^[a-z-]+$/.test(word) && !backgroundWords.has(word));
  return hasColour ? rest : '';
}

function isHarmless(property: string, value: string): boolean {
  if (!properties.has(property) || value === '' || value.length > maxValueLength) return false;
  const plain = value.replace(colourFunction, ' ');
  const rest = (backgrounds.has(property) ? plain.replace(gradient, ' ') : plain).replace(/\s*!\s*important$/i, '');
  if (!plainValue.test(rest) || rest.includes('//') || !hasPairedQuotes(rest) || heightUnit.test(rest)) return false;
  const words = keywords.get(property);
  if (words) return words.test(rest);
  // Negative margins and indents move text over other text
  return !/^(?:margin|text-indent)/.test(property) || !rest.includes('-');
}

function hasPairedQuotes(value: string): boolean {
  const unquoted = value.replace(/"[^"']*"|'[^"']*'/g, '');
  return !/["']/.test(unquoted);
}
