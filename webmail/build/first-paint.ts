import type { IndexHtmlTransformContext, Plugin, Rolldown } from 'vite';
import { storageKeys } from '../src/lib/storage-keys.ts';
import { firstScreens } from './first-screens.ts';

interface Look {
  theme: string;
  density: string;
}

/** Runs in the page's head, before anything is painted. `src/theme/look.ts` takes over later. */
function setLook(keys: Look): void {
  let theme: string | null = null;
  let density: string | null = null;
  try {
    theme = localStorage.getItem(keys.theme);
    density = localStorage.getItem(keys.density);
  } catch {
    // Storage is blocked here, so the system's theme is the best guess
  }
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset['theme'] = isDark ? 'dark' : 'light';
  document.documentElement.dataset['density'] =
    density === 'compact' || density === 'relaxed' ? density : 'comfortable';
}

/** Files to preload, by whether a person is logged in and by the path at which the visit begins. */
type Wanted = [isSignedIn: boolean, at: string, files: string[]][];

/**
 * Runs in the page's head and requests at once the scripts of the screen that this visit begins
 * with. Otherwise only the first script knows them, so they would be requested only after it was
 * fetched and run.
 */
function preload(key: string, wanted: Wanted): void {
  let isSignedIn = false;
  try {
    isSignedIn = localStorage.getItem(key) !== null;
  } catch {
    // Storage is blocked here, so nobody can be logged in
  }
  for (const [forSignedIn, at, files] of wanted) {
    if (forSignedIn !== isSignedIn || !new RegExp(at).test(location.pathname)) continue;
    for (const file of files) {
      const link = document.createElement('link');
      Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href: file });
      document.head.append(link);
    }
  }
}

/**
 * Makes index.html paint without further requests. Its head has a script that chooses light or
 * dark, so that a dark screen does not flash white. It has the style sheet, so that the first paint
 * waits for no request. And it has a script that preloads the scripts which the visit needs. These
 * scripts are inline, since a request for them would come too late. The server allows them by their
 * hashes in the content policy.
 * @param screens where a visit may begin; a page that is not part of the app has none
 */
export function firstPaint(screens = firstScreens): Plugin {
  return {
    name: 'first-paint',
    transformIndexHtml: {
      order: 'post',
      handler: (html, context) => {
        const look: Look = { theme: storageKeys.theme, density: storageKeys.density };
        return {
          html: withInlineStyle(html, context.bundle),
          tags: [
            inlineScript(`(${setLook.toString()})(${JSON.stringify(look)})`),
            ...(context.bundle ? [inlineScript(preloadScript(context, screens))] : []),
          ],
        };
      },
    },
  };
}

function inlineScript(children: string) {
  return { tag: 'script', children: children.replaceAll(/\n\t*/g, '\n'), injectTo: 'head-prepend' as const };
}

/**
 * Inlines the build's only style sheet into the page. It contains little more than the colours of
 * the themes.
 */
function withInlineStyle(html: string, bundle: Rolldown.OutputBundle | undefined): string {
  for (const file of Object.values(bundle ?? {})) {
    const link = new RegExp(`<link rel="stylesheet"[^>]*href="/${file.fileName}"[^>]*>`);
    if (file.type !== 'asset' || !link.test(html)) continue;
    forgetStyle(file.fileName, bundle);
    return html.replace(link, () => `<style>${String(file.source).trim()}</style>`);
  }
  return html;
}

/**
 * Removes a style sheet from the build, so that no script loads it later: that script would fail,
 * since the file does not exist.
 */
function forgetStyle(name: string, bundle: Rolldown.OutputBundle = {}): void {
  delete bundle[name];
  for (const file of Object.values(bundle)) if (file.type === 'chunk') file.viteMetadata?.importedCss.delete(name);
}

function preloadScript({ bundle, chunk }: IndexHtmlTransformContext, screens: typeof firstScreens): string {
  const files = Object.values(bundle ?? {});
  const known = new Set([chunk?.fileName, ...(chunk?.imports ?? [])]);
  const wanted: Wanted = Object.values(screens).map(({ first, isSignedIn, at }) => {
    const begins = files.find((file) => file.type === 'chunk' && file.facadeModuleId?.endsWith(first));
    if (!begins) throw new Error(`the build has no chunk that begins with ${first}`);
    const names = [...filesBelow(begins.fileName, bundle)].filter((name) => !known.has(name));
    return [isSignedIn, at, names.map((name) => `/${name}`)];
  });
  return `(${preload.toString()})(${JSON.stringify(storageKeys.auth)},${JSON.stringify(wanted)})`;
}

/** A chunk and all chunks that it imports statically. */
export function filesBelow(
  name: string,
  bundle: Rolldown.OutputBundle | undefined,
  seen = new Set<string>(),
): Set<string> {
  const file = bundle?.[name];
  if (seen.has(name) || file?.type !== 'chunk') return seen;
  seen.add(name);
  for (const imported of file.imports) filesBelow(imported, bundle, seen);
  return seen;
}
