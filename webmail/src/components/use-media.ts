import { useCallback, useSyncExternalStore } from 'react';

export const NARROW = '(max-width: 719px)';
export const COMPACT = '(max-width: 959px)';

export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => matchMedia(query).matches);
}
