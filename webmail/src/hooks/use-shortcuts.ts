import { signOf } from '@selvage/core/contracts/key-sign';
import { useLayoutEffect, useRef } from 'react';
import { takeEarlyKey } from '../lib/early-key.ts';

/** What keys do, by the sign of the key, or by two signs for two keys in a row. */
export type Shortcuts = Record<string, () => unknown>;

/** What a key answers that is meant for another screen, such as a list beside this one. */
export const PASS_ON = Symbol('pass on');

/** A key that came before its screen was there is still obeyed this long. */
const EARLY_MS = 2_000;
/** As above, for the first screen, which may come slowly. */
const FIRST_MS = 15_000;
let early: { key: string; pair: string; until: number } | null = null;
let hadScreen = false;
let rests = 0;
/** The second of two keys is waited for this long. */
const SECOND_MS = 1_500;
/** The first of two keys. `at` is the time stamp of its event: a busy page may handle it later. */
let begun: { key: string; at: number } | null = null;
/** Keys that go from one to the next, and go on while they are held. */
const moving = new Set(['j', 'k', 'n', 'p']);
/** Keys rest no longer than this for something that does not come. */
const LONGEST_REST_MS = 15_000;

interface Handler {
  /** Does what the keys mean; false when they mean nothing. */
  obey: (keys: string) => boolean;
  /** Whether a key is the first of two. */
  begins: (key: string) => boolean;
}

const handlers: Handler[] = [];

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !['checkbox', 'radio', 'button'].includes(target.type);
  return target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName);
}

/** A window that leaves the screen beside it usable. Keys that are pressed in it are its own. */
const beside = '[data-beside]';

function isShortcut(event: KeyboardEvent): boolean {
  // AltGr counts as Ctrl and Alt on Windows, and is how many keyboards type # and /
  const hasModifier = (event.ctrlKey || event.altKey) && !event.getModifierState('AltGraph');
  if (rests > 0 || hasModifier || event.metaKey || event.defaultPrevented || event.key.length !== 1) return false;
  if (isTyping(event.target) || (event.target instanceof Element && event.target.closest(beside))) return false;
  return !document.querySelector(`[role="dialog"]:not(${beside}), [role="alertdialog"], [role="menu"]`);
}

function handleKey(event: KeyboardEvent): void {
  const sign = signOf(event);
  // Shift and the like may be part of the second key
  if (sign.length !== 1) return;
  // A key that is held too long must not change one row after another
  if (event.repeat && !moving.has(sign)) return;
  const first = begun && event.timeStamp - begun.at < SECOND_MS ? begun.key : '';
  begun = null;
  if (!isShortcut(event)) return;
  const before = early;
  early = null;
  if (first === '' && handlers.some(({ begins }) => begins(sign))) {
    begun = { key: sign, at: event.timeStamp };
    event.preventDefault();
    return;
  }
  for (const { obey } of handlers.toReversed()) {
    if (!obey(first + sign)) continue;
    event.preventDefault();
    return;
  }
  const now = Date.now();
  const until = now + (hadScreen ? EARLY_MS : FIRST_MS);
  // A pair that means nothing here is not read as its second key alone, which might delete a
  // message. The pair may be meant for a screen that is still loading
  if (first !== '') {
    early = { key: '', pair: first + sign, until };
    return;
  }
  const pair = (before && now < before.until ? before.key : '') + sign;
  early = { key: sign, pair, until };
}

/**
 * Lets the keys rest until the returned function is called, 15 s at most: a dialog or a field was
 * asked for and is on its way, and what the person types already is meant for it.
 */
export function restShortcuts(): () => void {
  let isOver = false;
  const end = (): void => {
    clearTimeout(timer);
    if (!isOver) rests -= 1;
    isOver = true;
  };
  const timer = setTimeout(end, LONGEST_REST_MS);
  rests += 1;
  return end;
}

/** Begins to listen, before any screen has said what its keys do, and obeys an earlier key. */
export function listenForShortcuts(): void {
  document.addEventListener('keydown', handleKey);
  const key = takeEarlyKey(FIRST_MS);
  if (key) handleKey(key);
}

/**
 * Keys that act on the screen. They rest while a person types or a dialog or menu is open.
 * The screen that came last wins.
 * @param isBehind whether it comes after all others, whenever it came: a list beside what it opens
 */
export function useShortcuts(shortcuts: Shortcuts, isBehind = false): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // In a layout effect, so that the keys of the replaced screen stop before this screen is seen
  useLayoutEffect(() => {
    const obey = (keys: string): boolean => {
      const run = current.current[keys];
      return run !== undefined && run() !== PASS_ON;
    };
    const begins = (key: string): boolean =>
      Object.keys(current.current).some((keys) => keys.length > 1 && keys.startsWith(key));
    const handler = { obey, begins };
    if (isBehind) handlers.unshift(handler);
    else handlers.push(handler);
    hadScreen = true;
    if (early && Date.now() < early.until && (obey(early.pair) || obey(early.key))) early = null;
    return () => {
      handlers.splice(handlers.indexOf(handler), 1);
    };
  }, [isBehind]);
}
