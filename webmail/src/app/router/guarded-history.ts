import { type Location, NavigationType, type To, type UNSAFE_createBrowserHistory } from 'react-router-dom';

type History = ReturnType<typeof UNSAFE_createBrowserHistory>;
type Listener = Parameters<History['listen']>[0];

interface Guard {
  /** Whether a navigation would lose what a person has typed. */
  isClosed: () => boolean;
  /** Asks the person. `leave` continues the navigation that was stopped. */
  ask: (leave: () => void) => void;
  /** Closes what covers the page, which the browser's Back does first; undefined for nothing. */
  closer?: () => (() => void) | undefined;
}

/**
 * A browser history that asks before it leaves unsaved work, for links, calls of `navigate` and the
 * browser's own buttons. React Router has such a guard only in its data router, which would add 14
 * KB of script to the first load.
 */
export function guardHistory(history: History, guard: Guard): History {
  let isLeaving = false;
  /** The next change only brings the address of the present screen back. */
  let isRestoring = false;

  const leaveBy = (navigation: () => void): void => {
    isLeaving = true;
    navigation();
    isLeaving = false;
  };
  const change = (to: To, navigation: () => void): void => {
    if (isLeaving || !guard.isClosed() || isSamePlace(history.location, to)) navigation();
    else guard.ask(() => leaveBy(navigation));
  };
  /** Returns to the address of the present screen, which the browser has already left. */
  const restoreAddress = (delta: number): void => {
    isRestoring = true;
    history.go(-delta);
  };
  const closeInstead = (delta: number, close: () => void): void => {
    restoreAddress(delta);
    close();
  };
  const askInstead = (delta: number): void => {
    restoreAddress(delta);
    guard.ask(() => {
      isLeaving = true;
      history.go(delta);
    });
  };
  const listen = (listener: Listener): (() => void) =>
    history.listen((update) => {
      if (isRestoring) {
        isRestoring = false;
        return;
      }
      const isByBrowser = update.action === NavigationType.Pop && !isLeaving;
      const delta = (isByBrowser && update.delta) || 0;
      const close = delta < 0 && guard.closer?.();
      if (close) return closeInstead(delta, close);
      if (delta !== 0 && guard.isClosed()) return askInstead(delta);
      isLeaving = false;
      listener(update);
    });

  return {
    ...history,
    get action() {
      return history.action;
    },
    get location() {
      return history.location;
    },
    listen,
    push: (to, state) => change(to, () => history.push(to, state)),
    replace: (to, state) => change(to, () => history.replace(to, state)),
  };
}

/** A change of only the hash, the route state or what a list shows does not leave the screen. */
function isSamePlace(here: Location, to: To): boolean {
  const there = new URL(typeof to === 'string' ? to : `${to.pathname ?? ''}${to.search ?? ''}`, location.href);
  return there.pathname === here.pathname && withoutList(there.search) === withoutList(here.search);
}

/** A query without what a list on the screen is asked for. */
function withoutList(query: string): string {
  return query.replaceAll(/[?&](page|limit|sort|search)=[^&]*/g, '').slice(1);
}
