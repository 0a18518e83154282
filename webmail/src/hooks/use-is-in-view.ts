import { useSyncExternalStore } from 'react';

/** Whether the person can see the page: its tab is in front, in a window that is not minimised. */
export function useIsInView(): boolean {
  return useSyncExternalStore(subscribe, () => document.visibilityState === 'visible');
}

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}
