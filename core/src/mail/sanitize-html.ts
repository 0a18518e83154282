import sanitizeHtml from 'sanitize-html';
import { type FilteredSheet, filterSheets, sheetClass, sheetsOf } from './filter-sheet.ts';
import { filterStyle, styleLoadsContent } from './filter-style.ts';
import { fillHeld, heldMark, markHeld } from './held-backgrounds.ts';
import { escapeHidden, hideLoneSigns, revealHidden } from './lone-signs.ts';
import { ElementGuard, stripTags, TooManyElements } from './element-guard.ts';
import { escapeHtml } from './escape-html.ts';
import { defaultParseLimits } from './parsed-message.ts';

/** HTML that is safe to show. */
export interface SanitizedHtml {
  html: string;
  /**
   * Whether it contains something that would be loaded from another server. The addresses of such
   * pictures are in `data-remote-src`.
   */
  hasRemoteContent: boolean;
  /** Its filtered style sheets, which can only change its look; '' when it has none. */
  sheet: string;
}

type Attributes = Record<string, string>;
/**
 * The addresses of the pictures of a message, by their content ids. Called once for each use of
 * one.
 */
export type Addresses = Pick<ReadonlyMap<string, string>, 'get'>;
/** Returns the attributes that a picture keeps. */
type ImagePolicy = (image: Attributes) => Attributes;

const maxHtmlLength = 10 * 1_048_576;
/** No shorter than the text of a message that is read, so that no picture within it is left out. */
const maxInlineImageLength = defaultParseLimits.maxTextBytes;
const maxNesting = 200;
/** The most link targets within one message. The longest tables of contents have some hundreds. */
const mostPlaces = 1000;

const tags = `
  a abbr address area article aside b bdi bdo big blockquote br caption center cite code col
  colgroup dd del dfn div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img
  ins kbd li main map mark ol p pre q s samp section small span strike strong sub sup table tbody
  td tfoot th thead tr tt u ul var wbr
`
  .trim()
  .split(/\s+/);
/**
 * The content of these elements is code, or text that is not meant to be read. The content of
 * `<video>` and `<object>` is kept: it is meant for programs that don't show these elements.
 */
const silentTags = `
  script style textarea option select xmp title noscript template svg math embed applet iframe
  frameset noembed noframes audio canvas plaintext
`
  .trim()
  .split(/\s+/);
const keywordAttributes = `
  align valign bgcolor border cellpadding cellspacing width height colspan rowspan dir lang color
  face size type start scope nowrap span clear noshade value
`
  .trim()
  .split(/\s+/);
const textAttributes = ['title', 'alt', 'abbr'];
const loadingAttributes = [
  'src',
  'srcset',
  'background',
  'poster',
  'data',
  'xlink:href',
  'lowsrc',
  'dynsrc',
  'imagesrcset',
];

const rules: sanitizeHtml.IOptions = {
  allowedTags: tags,
  allowedAttributes: {
    '*': ['style', 'class', 'data-place', heldMark, ...keywordAttributes, ...textAttributes],
    a: ['href', 'target', 'rel'],
    img: ['src', 'data-remote-src', 'usemap'],
    map: ['name'],
    area: ['href', 'target', 'rel', 'shape', 'coords'],
  },
  allowedSchemes: ['http', 'https', 'webcal', 'mailto', 'tel', 'sms', 'sip', 'callto'],
  allowedSchemesByTag: { img: ['http', 'https', 'data', 'cid', 'blob'] },
  nonTextTags: silentTags,
  nestingLimit: maxNesting,
  // cleanAttributes filters the styles
  parseStyleAttributes: false,
};

/**
 * Makes a received message's HTML safe to show: it has no scripts, forms, frames, vector pictures
 * or style sheets, and loads nothing by itself. Pictures of the message (`cid:`) get the given
 * addresses. Its style sheets are returned separately, and an element keeps only those classes and
 * ids that the sheets name. The target of a link within the message keeps its name in `data-place`.
 * @param options `mostPictures` limits the pictures of the message and of other servers. Those
 *   beyond it lose their addresses, so that a browser shows their words
 */
export function sanitizeMailHtml(
  html: string,
  options: { inlineImages: Addresses; mostPictures?: number },
): SanitizedHtml {
  let left = options.mostPictures ?? Number.POSITIVE_INFINITY;
  const bounded = (name: string, address: string | undefined): Attributes => {
    if (address === undefined || left === 0) return {};
    left -= 1;
    return { [name]: address };
  };
  const sheet = filterSheets(sheetsOf(html.slice(0, maxHtmlLength)));
  const imagePolicy: ImagePolicy = (image) => {
    const source = compactUrl(image.src ?? '');
    if (isInlinePicture(source)) return { src: source };
    if (/^cid:/i.test(source)) {
      const id = source.slice(4);
      // RFC 2392 2: the id is percent-encoded, but some programs write it without encoding
      return bounded('src', options.inlineImages.get(decodeName(id)) ?? options.inlineImages.get(id));
    }
    return bounded('data-remote-src', remoteUrl(source));
  };
  return sanitize(html, { imagePolicy, sheet, places: linkedPlaces(html.slice(0, maxHtmlLength)) });
}

/**
 * Makes the HTML of an editor fit to send. The same rules apply, but pictures keep their addresses.
 * @param options `inlineImages` maps the address of a picture of the message to its content id; the
 *   address becomes `cid:` again
 */
export function sanitizeComposedHtml(html: string, options: { inlineImages?: Map<string, string> } = {}): string {
  const imagePolicy: ImagePolicy = (image) => {
    const source = compactUrl(image.src ?? '');
    const contentId = options.inlineImages?.get(image.src ?? '') ?? options.inlineImages?.get(source);
    if (contentId) return { src: `cid:${contentId}` };
    if (/^cid:[^\s"'<>]+$/i.test(source) || isInlinePicture(source)) return { src: source };
    // A picture of a quoted message that was not shown
    return present('src', remoteUrl(source) ?? remoteUrl(compactUrl(image['data-remote-src'] ?? '')));
  };
  return sanitize(html, { imagePolicy, sheet: noSheet, places: noPlaces }).html;
}

/** What is allowed in addition to the tags that are always allowed. */
interface Kept {
  imagePolicy: ImagePolicy;
  sheet: FilteredSheet;
  /** Names of the targets of the message's own links. */
  places: ReadonlySet<string>;
}

const noSheet: FilteredSheet = { css: '', names: new Set() };
const noPlaces: ReadonlySet<string> = new Set();

function sanitize(html: string, kept: Kept): SanitizedHtml {
  const bounded = html.slice(0, maxHtmlLength).replaceAll('\0', '');
  try {
    return sanitizeTree(bounded, kept);
  } catch (error) {
    if (!(error instanceof TooManyElements)) throw error;
    // No legitimate mail looks like this, but its words are still shown
    return { html: `<div>${escapeHtml(stripTags(bounded))}</div>`, hasRemoteContent: false, sheet: '' };
  }
}

function sanitizeTree(html: string, kept: Kept): SanitizedHtml {
  let hasRemoteContent = false;
  let linkColour = '';
  const guard = new ElementGuard();
  const clean = sanitizeHtml(hideLoneSigns(html), {
    ...rules,
    onOpenTag: (_name, attributes) => {
      guard.open();
      hasRemoteContent ||= loadsContent(attributes);
    },
    onCloseTag: () => guard.close(),
    transformTags: {
      // The frame has an html element of its own, so only the language and the direction are kept
      html: (tagName, { dir, lang }) => ({
        tagName: dir === undefined && lang === undefined ? tagName : 'div',
        attribs: { ...present('dir', dir), ...present('lang', lang) },
      }),
      body: (_tag, attributes) => {
        linkColour ||= declareColour('color', attributes.link);
        return { tagName: 'div', attribs: withBodyColours(attributes) };
      },
      '*': (tagName, attributes) => ({
        tagName: tagName === 'div' && isQuote(attributes) ? 'blockquote' : tagName,
        attribs: cleanAttributes(tagName, attributes, kept),
      }),
    },
  });
  // It comes before the sheet, so that the sheet's own rules for links win
  const sheet = linkColour === '' ? kept.sheet.css : `a{${linkColour}}\n${kept.sheet.css}`.trim();
  return { html: fillHeld(escapeHidden(clean)), hasRemoteContent, sheet };
}

/**
 * Whether a program has marked a `div` as the message that it answers: GMX by its name, the others
 * by an id or a class. Yahoo writes a word of its own before them when it answers itself.
 */
function isQuote({ name, id = '', class: classes = '' }: Attributes): boolean {
  return (
    name === 'quote' ||
    /^(?:\w{0,40}yahoo_quoted_\d+|origbody|reply139content)$/.test(id) ||
    /(?:^|\s)ntes-mailmaster-quote(?:\s|$)/.test(classes.slice(0, 1000))
  );
}

function cleanAttributes(tag: string, attributes: Attributes, { imagePolicy, sheet, places }: Kept): Attributes {
  const clean: Attributes = {};
  for (const name of keywordAttributes) {
    const value = attributes[name];
    if (value !== undefined && /^[\p{L}\p{N}#%+.,\s_-]{0,100}$/u.test(value)) clean[name] = value;
  }
  for (const name of textAttributes) {
    const value = attributes[name];
    if (value !== undefined) clean[name] = value.slice(0, 1000);
  }
  const style = filterStyle(`${attributes.hidden === undefined ? '' : 'display: none;'}${attributes.style ?? ''}`);
  if (style !== '') clean.style = style;
  if (sheet.names.size > 0) Object.assign(clean, keptClasses(attributes, sheet.names));
  if (tag === 'a') Object.assign(clean, cleanLink(attributes.href, places));
  if (places.size > 0) Object.assign(clean, present('data-place', placeOf(tag, attributes, places)));
  if (tag === 'img') Object.assign(clean, imagePolicy(attributes));
  return Object.assign(clean, imageMap(tag, attributes), markHeld(attributes, clean));
}

/**
 * The attributes of an image map: the name that joins a picture to its areas, their shapes and
 * their links.
 */
function imageMap(tag: string, { usemap, name, id, shape = '', coords = '', href }: Attributes): Attributes {
  if (tag === 'img' && usemap?.startsWith('#')) return present('usemap', mapName('#', usemap.slice(1)));
  if (tag === 'map') return present('name', mapName('', name ?? id));
  if (tag !== 'area') return {};
  return {
    // A link from a picture to a place in the text is not supported
    ...cleanLink(href, noPlaces),
    ...present('shape', /^[a-z]{1,20}$/i.test(shape) ? shape : undefined),
    ...present('coords', /^[\d\s,.-]{1,1000}$/.test(coords) ? coords : undefined),
  };
}

/** A name that does not occur in the pages of the web app. */
function mapName(before: string, name = ''): string | undefined {
  return /^[\p{L}\p{N}_.-]{1,100}$/u.test(name) ? `${before}map-${name.replace(/^map-/, '')}` : undefined;
}

/** Turns the colours that only a body has as attributes into a style. */
function withBodyColours({ bgcolor, text, style = '', ...others }: Attributes): Attributes {
  const colours = [declareColour('background-color', bgcolor), declareColour('color', text)];
  return { ...others, style: [...colours, style].join('') };
}

/** Old colour attributes may lack the `#` before a number. */
function declareColour(property: string, given = ''): string {
  const colour = given.trim().replace(/^(?=[\da-f]{6}$)/i, '#');
  return /^(?:#(?:[\da-f]{3}|[\da-f]{6})|[a-z]{1,30})$/i.test(colour) ? `${property}: ${colour};` : '';
}

/** The class and the id that a rule names, under names that do not occur in the web app. */
function keptClasses({ class: classes = '', id = '' }: Attributes, names: FilteredSheet['names']): Attributes {
  const found = classes
    .slice(0, 1000)
    .split(/\s+/)
    .filter((name) => names.has(`.${name}`));
  const kept = found.map((name) => sheetClass('.', name));
  if (names.has(`#${id}`)) kept.push(sheetClass('#', id));
  return kept.length === 0 ? {} : { class: kept.join(' ') };
}

/** The name of an element, if a link of the message leads to it. */
function placeOf(tag: string, { id, name }: Attributes, places: Kept['places']): string | undefined {
  // `name` is a link target only on an `a` element
  const names = tag === 'a' ? [id, name] : [id];
  return names.find((given) => given !== undefined && places.has(given));
}

/** The names of places that the links of a message lead to. */
function linkedPlaces(html: string): ReadonlySet<string> {
  const places = new Set<string>();
  for (const [, name = ''] of html.matchAll(/\bhref\s*=\s*(?:["']\s*)?#([^"'\s<>]{1,100})/gi)) {
    places.add(decodeName(name));
    if (places.size === mostPlaces) break;
  }
  return places;
}

function cleanLink(href: string | undefined, places: Kept['places']): Attributes {
  const target = compactUrl(href ?? '');
  const place = target.startsWith('#') ? decodeName(target.slice(1)) : '';
  if (places.has(place)) return { href: `#${place}` };
  const address = target.replace(/^(?=www\.[\p{L}\p{N}])/iu, 'http://');
  if (!/^(?:(?:https?|webcal):\/\/[^/\\]|(?:mailto|tel|sms|sip|callto):)/i.test(address)) return {};
  return { href: address, target: '_blank', rel: 'noopener noreferrer nofollow' };
}

/** Browsers ignore these characters in an address, so the checks must do so too. */
function compactUrl(text: string): string {
  return revealHidden(text)
    .trim()
    .replace(/[ \p{Cc}\u2028\u2029]/gu, (character) => (character === ' ' ? '%20' : ''));
}

function remoteUrl(source: string): string | undefined {
  const absolute = /^[/\\]{2}/.test(source) ? `https:${source}` : source;
  if (!/^https?:/i.test(absolute) || !URL.canParse(absolute)) return undefined;
  return new URL(absolute).href;
}

/** Whether an address is a `data:` URL of a picture that a text may contain. */
export function isInlinePicture(source: string): boolean {
  return (
    source.length <= maxInlineImageLength && /^data:image\/(?:png|jpe?g|gif|webp);base64,[a-z0-9+/=]*$/i.test(source)
  );
}

function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    // A percent sign that encodes nothing: the name is used as written
    return name;
  }
}

function loadsContent(attributes: Attributes): boolean {
  const loads = loadingAttributes.some((name) =>
    /(?:^|[\s,])(?:https?:|[/\\]{2})/i.test(compactUrl(attributes[name] ?? '').slice(0, 10_000)),
  );
  return loads || (attributes.style !== undefined && styleLoadsContent(attributes.style));
}

function present(name: string, value: string | undefined): Attributes {
  return value === undefined ? {} : { [name]: value };
}
