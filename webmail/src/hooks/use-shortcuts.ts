import { useLayoutEffect, useRef } from 'react';
import { takeEarlyKey } from '../lib/early-key.ts';

/** What single keys do, by the sign they type. */
export type Shortcuts = Record<string, () => void>;

/** A key that came before its screen was there is still obeyed this long. */
const EARLY_MS = 2_000;
/** As above, for the first screen, which may come slowly. */
const FIRST_MS = 15_000;
let early: { key: string; until: number } | null = null;
let hadScreen = false;
let rests = 0;
const handlers: ((key: string) => boolean)[] = [];

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
  if (!isShortcut(event)) return;
  early = null;
  for (const handle of handlers.toReversed()) {
    if (!handle(event.key)) continue;
    event.preventDefault();
    return;
  }
  early = { key: event.key, until: Date.now() + (hadScreen ? EARLY_MS : FIRST_MS) };
}

/**
 * Lets the keys rest until the returned function is called: a dialog was asked for and is on its
 * way, and what the person types already is meant for it.
 */
export function restShortcuts(): () => void {
  let isOver = false;
  rests += 1;
  return () => {
    if (!isOver) rests -= 1;
    isOver = true;
  };
}

/** Begins to listen, before any screen has said what its keys do, and obeys an earlier key. */
export function listenForShortcuts(): void {
  document.addEventListener('keydown', handleKey);
  const key = takeEarlyKey(FIRST_MS);
  if (key) handleKey(key);
}

/**
 * Single keys that act on the screen. They rest while a person types or a dialog or menu is open.
 * The screen that came last wins.
 */
export function useShortcuts(shortcuts: Shortcuts): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // Before the screen is seen: the keys of the one that it replaces are obeyed no more
  useLayoutEffect(() => {
    const handle = (key: string): boolean => {
      const run = current.current[key];
      run?.();
      return run !== undefined;
    };
    handlers.push(handle);
    hadScreen = true;
    if (early && Date.now() < early.until && handle(early.key)) early = null;
    return () => {
      handlers.splice(handlers.indexOf(handle), 1);
    };
  }, []);
}
