import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { log } from '@selvage/core/log';

/**
 * The scripts that stand in the web app's index page, as sources of a content policy (CSP3 hash-source): the browser runs these
 * and no other inline script. Read once at start; none where the web app has not been built.
 */
export function inlineScriptHashes(root: string): string[] {
  const scripts = readIndex(root).matchAll(/<script>([\s\S]*?)<\/script>/g);
  return [...scripts].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

function readIndex(root: string): string {
  try {
    return readFileSync(join(root, 'index.html'), 'utf8');
  } catch (error) {
    log.warn('the web app has not been built', { root, error });
    return '';
  }
}
