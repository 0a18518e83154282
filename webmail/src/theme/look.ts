import { useSyncExternalStore } from 'react';
import { storageKeys } from '../lib/storage-keys.ts';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];
export const densityChoices = ['comfortable', 'compact', 'relaxed'] as const;
export type DensityChoice = (typeof densityChoices)[number];

const DARK = '(prefers-color-scheme: dark)';
const listeners = new Set<() => void>();

function readOneOf<T extends string>(key: string, choices: readonly T[], fallback: T): T {
  const stored = localStorage.getItem(key);
  return choices.find((choice) => choice === stored) ?? fallback;
}

const readTheme = (): ThemeChoice => readOneOf(storageKeys.theme, themeChoices, 'system');
const readDensity = (): DensityChoice => readOneOf(storageKeys.density, densityChoices, 'comfortable');

function apply(): void {
  const choice = readTheme();
  const isDark = choice === 'dark' || (choice === 'system' && matchMedia(DARK).matches);
  Object.assign(document.documentElement.dataset, { theme: isDark ? 'dark' : 'light', density: readDensity() });
  for (const listener of listeners) listener();
}

/**
 * Applies the chosen look while the page is open, also when it is changed in another tab. The
 * script in the page's head has set the first look.
 */
export function followLook(): () => void {
  const system = matchMedia(DARK);
  system.addEventListener('change', apply);
  window.addEventListener('storage', apply);
  return () => {
    system.removeEventListener('change', apply);
    window.removeEventListener('storage', apply);
  };
}

export function subscribeToLook(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The look that the person has chosen. */
export function useLook(): { theme: ThemeChoice; density: DensityChoice } {
  return {
    theme: useSyncExternalStore(subscribeToLook, readTheme),
    density: useSyncExternalStore(subscribeToLook, readDensity),
  };
}
