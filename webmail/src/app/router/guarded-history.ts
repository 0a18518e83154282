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
  let isGoingBack = false;

  const leaveBy = (navigation: () => void): void => {
    isLeaving = true;
    navigation();
    isLeaving = false;
  };
  const change = (to: To, navigation: () => void): void => {
    if (isLeaving || !guard.isClosed() || isSamePlace(history.location, to)) navigation();
    else guard.ask(() => leaveBy(navigation));
  };
  const listen = (listener: Listener): (() => void) =>
    history.listen((update) => {
      const { action, delta } = update;
      if (isGoingBack) {
        // The address of the present screen is restored
        isGoingBack = false;
        return;
      }
      const close = action === NavigationType.Pop && delta !== null && delta < 0 ? guard.closer?.() : undefined;
      if (close && delta !== null && !isLeaving) {
        isGoingBack = true;
        history.go(-delta);
        close();
        return;
      }
      if (action === NavigationType.Pop && delta !== null && delta !== 0 && !isLeaving && guard.isClosed()) {
        // The browser has already changed the address: restore it, and ask
        isGoingBack = true;
        history.go(-delta);
        guard.ask(() => {
          isLeaving = true;
          history.go(delta);
        });
        return;
      }
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
