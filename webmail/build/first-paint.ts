import type { Plugin } from 'vite';
import { storageKeys } from '../src/lib/storage-keys.ts';

/** Runs in the page's head, before anything is painted; `src/theme/look.ts` goes on from there. */
function setLook(keys: { theme: string; density: string }): void {
  let theme: string | null = null;
  let density: string | null = null;
  try {
    theme = localStorage.getItem(keys.theme);
    density = localStorage.getItem(keys.density);
  } catch {
    // storage is forbidden here: the system's look is the best guess
  }
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
  document.documentElement.dataset['density'] = density === 'compact' ? 'compact' : 'comfortable';
}

/**
 * Puts the script that chooses light or dark into index.html, so that no dark screen flashes white. It is inline
 * because a request would come too late; the server allows it by its hash in the content policy.
 */
export function firstPaint(): Plugin {
  const keys = JSON.stringify({ theme: storageKeys.theme, density: storageKeys.density });
  return {
    name: 'first-paint',
    transformIndexHtml: () => [
      { tag: 'script', children: `(${setLook.toString()})(${keys})`, injectTo: 'head-prepend' },
    ],
  };
}
