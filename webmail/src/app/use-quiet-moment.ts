import { useEffect, useState } from 'react';
import { firstScreen } from './router/first-screen.ts';

/** A busy page has no quiet moment, so this is the longest wait. */
const AT_THE_LATEST_MS = 1_500;
const WITHOUT_IDLE_CALLBACK_MS = 300;
/** The wait when no screen comes, such as while the server is away. */
const WITHOUT_SCREEN_MS = 10_000;

/** False until the first screen is on the page and the browser has nothing to do. */
export function useQuietMoment(): boolean {
  const [isQuiet, setQuiet] = useState(false);
  useEffect(() => {
    let isGone = false;
    const done = (): void => {
      if (!isGone) setQuiet(true);
    };
    const wait = (): void => {
      // Safari has no idle callback
      if ('requestIdleCallback' in window) requestIdleCallback(done, { timeout: AT_THE_LATEST_MS });
      else setTimeout(done, WITHOUT_IDLE_CALLBACK_MS);
    };
    void firstScreen.then(wait);
    const timer = setTimeout(done, WITHOUT_SCREEN_MS);
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, []);
  return isQuiet;
}
