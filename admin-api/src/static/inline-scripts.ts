import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { log } from '@selvage/core/log';

/**
 * Returns the inline scripts of the web app's current index page, as sources for a content policy.
 */
export type InlineScripts = () => Promise<readonly string[]>;

/**
 * Watches the inline scripts of the web app's index page. Their hashes are sources of a content
 * policy (CSP3 hash-source), so the browser runs these and no other inline script. A build may
 * replace the page while this process serves it, so the file is checked before each page and read
 * again when it has changed.
 */
export function watchInlineScripts(root: string): InlineScripts {
  const path = join(root, 'index.html');
  let seen = '';
  let sources: readonly string[] = [];
  return async () => {
    try {
      const { mtimeMs, size, ino } = await stat(path);
      const now = `${mtimeMs} ${size} ${ino}`;
      if (now === seen) return sources;
      sources = sourcesOf(await readFile(path, 'utf8'));
      seen = now;
    } catch (error) {
      // Without the page there are no scripts to allow
      if (seen !== 'missing') log.warn('the web app has not been built', { root, error });
      seen = 'missing';
      sources = [];
    }
    return sources;
  };
}

function sourcesOf(html: string): string[] {
  const scripts = html.matchAll(/<script>([\s\S]*?)<\/script>/g);
  return [...scripts].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}
