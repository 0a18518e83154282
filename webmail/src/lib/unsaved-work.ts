import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';

/** Something a person has typed that the server does not have yet. */
export interface UnsavedWork {
  /** What it is, in the middle of a sentence: `the profile`. */
  name: string;
  /**
   * True when it survives a change of screen, so that only closing the page or logging out would
   * lose it.
   */
  survivesNavigation: boolean;
  /** True when something else asks about it before the person logs out (`askBeforeLogout`). */
  isAskedAboutElsewhere?: boolean;
}

const works = new Map<symbol, UnsavedWork>();
const listeners = new Set<() => void>();
let list: readonly UnsavedWork[] = [];

function changed(): void {
  list = [...works.values()];
  for (const listener of listeners) listener();
}

/** Registers unsaved work until the returned function is called. */
export function addUnsavedWork(work: UnsavedWork): () => void {
  const key = Symbol(work.name);
  works.set(key, work);
  changed();
  return () => {
    if (works.delete(key)) changed();
  };
}

/** All unsaved work of this tab. */
export function unsavedWork(): readonly UnsavedWork[] {
  return list;
}

/** Unsaved work that a change of screen would lose. */
export function workLostByLeaving(): readonly UnsavedWork[] {
  return list.filter((work) => !work.survivesNavigation);
}

/** Unsaved work that logging out would lose, and that nothing else asks about. */
export function workLostByLogout(): readonly UnsavedWork[] {
  return list.filter((work) => !work.isAskedAboutElsewhere);
}

export function useUnsavedWorkList(): readonly UnsavedWork[] {
  return useSyncExternalStore(subscribe, unsavedWork);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Registers unsaved work while `isDirty`. The router then asks before another screen replaces this
 * one, and the browser asks before the tab is closed. Returns a function that ends it at once, for
 * use right after a save: state that says "clean" would come one render too late for a navigation
 * in the same handler. What is still dirty at the next render is registered again.
 */
export function useUnsavedWork(isDirty: boolean, work: UnsavedWork): () => void {
  const remove = useRef<(() => void) | null>(null);
  const end = useCallback((): void => {
    remove.current?.();
    remove.current = null;
  }, []);
  useEffect(() => {
    if (!isDirty) end();
    else remove.current ??= addUnsavedWork(work);
  });
  useEffect(() => end, [end]);
  return end;
}

/** Lets the browser ask before it closes a page with unsaved work. */
export function warnBeforeUnload(): () => void {
  const warn = (event: BeforeUnloadEvent): void => {
    if (works.size > 0) event.preventDefault();
  };
  window.addEventListener('beforeunload', warn);
  return () => window.removeEventListener('beforeunload', warn);
}
