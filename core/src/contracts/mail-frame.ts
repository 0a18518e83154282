import { signOf } from './key-sign.ts';

/** Longer texts scroll within their frame: a page of this height is some 4,000 lines. */
export const tallestFrame = 100_000;

/**
 * A frame that is narrower is on a phone. Most mail with a width of its own is at least as wide. A
 * frame for printing has no width, and its text keeps its size.
 */
const phoneFrame = 600;

/**
 * The one script that runs beside the text of a message (D41). It is in this file because both ends
 * need its exact text: the web app puts it into the frame, and the content policies of the page and
 * of the frame admit it by its hash. It reports the height of the text, each plain key and
 * `mailto:` link that is pressed, and the position of a place that a link of the text leads to. It
 * opens folds around that place and gives it the focus. It prints when the page asks for it. On a
 * phone it shrinks a text that is wider than the screen, to half its size at most, so that no line
 * is cut off. It reads and changes nothing else.
 */
export const frameScript = `(() => {
  const root = document.documentElement;
  const tell = (message) => parent.postMessage(message, '*');
  let told = -1;
  let zoom = 1;
  const fit = () => {
    const isPhone = innerWidth > 0 && innerWidth < ${phoneFrame};
    if (!isPhone && zoom === 1) return;
    const { style } = document.body;
    style.zoom = '';
    zoom = isPhone ? Math.max(0.5, Math.min(1, root.clientWidth / root.scrollWidth)) : 1;
    if (zoom < 1) style.zoom = String(zoom);
  };
  const measure = () => {
    fit();
    const scrollBar = Math.max(0, innerHeight - root.clientHeight);
    const text = Math.max(root.getBoundingClientRect().height, document.body.scrollHeight * zoom);
    const height = Math.ceil(text) + scrollBar;
    if (height === told) return;
    told = height;
    tell({ kind: 'height', height });
  };
  const observer = new ResizeObserver(measure);
  observer.observe(root);
  observer.observe(document.body);
  addEventListener('resize', measure);
  addEventListener('keydown', (event) => {
    const { key, code, shiftKey, repeat } = event;
    const isModified = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph');
    const isP = /^(Key)?p$/i.test(key > '\\u036f' ? code : key);
    if (isP && (event.ctrlKey || event.metaKey) && !shiftKey && !event.altKey) {
      event.preventDefault();
      if (!repeat) tell({ kind: 'print' });
      return;
    }
    if (isModified || event.metaKey || key.length !== 1 || key === ' ') return;
    event.preventDefault();
    tell({ kind: 'key', key, code, shiftKey, repeat });
  });
  const goTo = (name) => {
    const named = [...document.querySelectorAll('[data-place]')].find((one) => one.dataset.place === name);
    const place = named ?? (name === 'top' ? document.body : null);
    if (!place) return;
    for (let fold = place.closest('details'); fold; fold = fold.parentElement.closest('details')) fold.open = true;
    measure();
    if (told > ${tallestFrame}) place.scrollIntoView();
    if (!place.matches('a[href]')) place.tabIndex = -1;
    place.focus({ preventScroll: true });
    tell({ kind: 'place', top: Math.max(0, Math.round(place.getBoundingClientRect().top)) });
  };
  addEventListener('click', (event) => {
    const link = event.target.closest('a[href], area[href]');
    const href = link ? link.getAttribute('href') : '';
    if (href.startsWith('#')) {
      event.preventDefault();
      goTo(href.slice(1));
    }
    if (!link || link.protocol !== 'mailto:') return;
    event.preventDefault();
    tell({ kind: 'mailto', href: link.href });
  });
  addEventListener('message', (event) => {
    if (event.source === parent && event.data === 'print') print();
  });
  measure();
})();`;

/**
 * The script as a source of a content policy (CSP3 hash-source). A test proves that it is its hash.
 */
export const frameScriptSource = "'sha256-ZVb56I1iUvEr1Su1idUc2HkXtJuj6rSqmGcxW+aw8Ms='";

/** All messages that a frame may send. */
export type FrameMessage =
  | { kind: 'height'; height: number }
  /** The sign that the key means, and whether it is held. */
  | { kind: 'key'; key: string; repeat: boolean }
  | { kind: 'print' }
  /** A link leads to a place in the text, this many pixels below the top of the frame. */
  | { kind: 'place'; top: number }
  | { kind: 'mailto'; href: string };

/** Keys that act on a page: one plain sign each. */
const plainKey = /^[a-z0-9#/?!.,;:[\]{}]$/i;

/** Reads a message of a frame; null for anything that is not exactly of one of these forms. */
export function readFrameMessage(data: unknown): FrameMessage | null {
  if (typeof data !== 'object' || data === null) return null;
  const told = data as Record<string, unknown>;
  const { kind, height, href, top } = told;
  if (kind === 'height' && isLength(height)) return { kind, height };
  if (kind === 'place' && isLength(top)) return { kind, top };
  if (kind === 'key') return readKey(told);
  if (kind === 'print') return { kind };
  if (kind === 'mailto' && typeof href === 'string' && /^mailto:.{1,4000}$/s.test(href)) return { kind, href };
  return null;
}

function readKey({ key, code, shiftKey, repeat }: Record<string, unknown>): FrameMessage | null {
  if (typeof key !== 'string' || typeof code !== 'string') return null;
  const sign = signOf({ key, code, shiftKey: shiftKey === true });
  return plainKey.test(sign) ? { kind: 'key', key: sign, repeat: repeat === true } : null;
}

function isLength(value: unknown): value is number {
  return Number.isInteger(value) && Number(value) >= 0;
}
