import { useEffect, useState } from 'react';

const AT_THE_LATEST_MS = 1_500;
const WITHOUT_IDLE_CALLBACK_MS = 300;

/** False until the browser has had time for the first paint. */
export function useIsIdle(): boolean {
  const [isIdle, setIdle] = useState(false);
  useEffect(() => {
    const done = (): void => setIdle(true);
    // Safari has no idle callback
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(done, WITHOUT_IDLE_CALLBACK_MS);
      return () => clearTimeout(timer);
    }
    const handle = requestIdleCallback(done, { timeout: AT_THE_LATEST_MS });
    return () => cancelIdleCallback(handle);
  }, []);
  return isIdle;
}
