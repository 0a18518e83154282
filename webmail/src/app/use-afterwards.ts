import { useStore } from '@nanostores/react';
import { type ComponentType, useEffect, useState } from 'react';
import { hasWaitingNotices } from '../components/feedback/notify.ts';
import { useSubject } from '../lib/current-user.ts';
import { loadModule, mayFetchAhead } from '../lib/load-module.ts';

const RETRY_MS = 10_000;

/**
 * Fetches what every screen has but no first paint needs. On a slow or metered line it waits until
 * a person is logged in or there is something to announce. A failure is silent, since the part that
 * would tell of it is missing. It is tried again.
 */
export function useAfterwards(isQuiet: boolean): ComponentType | null {
  const [Afterwards, setAfterwards] = useState<ComponentType | null>(null);
  const isSignedIn = useSubject() !== null;
  const hasNotices = useStore(hasWaitingNotices);
  const isWanted = isQuiet && (isSignedIn || hasNotices || mayFetchAhead());
  useEffect(() => {
    if (!isWanted || Afterwards) return;
    let isGone = false;
    let timer = 0;
    const load = (): void => {
      loadModule(() => import('./Afterwards.tsx')).then(
        (module) => !isGone && setAfterwards(() => module.default),
        () => {
          if (!isGone) timer = window.setTimeout(load, RETRY_MS);
        },
      );
    };
    load();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [isWanted, Afterwards]);
  return Afterwards;
}
