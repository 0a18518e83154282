import { useSyncExternalStore } from 'react';
import { subscribeToLook } from './look.ts';

const isDark = (): boolean => document.documentElement.dataset['theme'] === 'dark';

/** Whether the page is dark now, by the person's choice or by the system's. */
export function useIsDark(): boolean {
  return useSyncExternalStore(subscribeToLook, isDark);
}
