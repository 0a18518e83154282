import { useSyncExternalStore } from 'react';

export const themeChoices = ['system', 'light', 'dark'] as const;
export type ThemeChoice = (typeof themeChoices)[number];

const KEY = 'selvage.theme';
const listeners = new Set<() => void>();

function isThemeChoice(text: string | null): text is ThemeChoice {
  return themeChoices.some((choice) => choice === text);
}

function readChoice(): ThemeChoice {
  const stored = localStorage.getItem(KEY);
  return isThemeChoice(stored) ? stored : 'system';
}

export function chooseTheme(choice: ThemeChoice): void {
  localStorage.setItem(KEY, choice);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  listeners.add(listener);
  system.addEventListener('change', listener);
  window.addEventListener('storage', listener);
  return () => {
    listeners.delete(listener);
    system.removeEventListener('change', listener);
    window.removeEventListener('storage', listener);
  };
}

function isDarkNow(): boolean {
  const choice = readChoice();
  return choice === 'dark' || (choice === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
}

export function useThemeChoice(): { choice: ThemeChoice; isDark: boolean } {
  return { choice: useSyncExternalStore(subscribe, readChoice), isDark: useSyncExternalStore(subscribe, isDarkNow) };
}
