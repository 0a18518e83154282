import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin, Rolldown } from 'vite';
import { filesBelow } from './first-paint.ts';
import { firstScreens } from './first-screens.ts';

/** Files that are cached besides the scripts of the first screens. */
const others = ['favicon.svg', 'icon-192.png', 'manifest.webmanifest'];
/** The parts that load after a first screen. */
const later = ['/src/app/Afterwards.tsx', '/src/app/shell/ConsoleIcon.tsx'];

/**
 * Writes `service-worker.js`, with which the app opens without a network. Its version is computed
 * from the page and the cached files, so a browser notices each build that differs.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const files = [...shellFiles(bundle), ...others].map((name) => `/${name}`);
      const template = await readFile(new URL('service-worker.js', import.meta.url), 'utf8');
      const hash = createHash('sha256').update(await readFile(join(dir, 'index.html')));
      for (const name of others) hash.update(await readFile(join(dir, name)));
      const version = hash.update(files.join()).update(template).digest('hex').slice(0, 12);
      const script = template
        .replace('__VERSION__', () => version)
        .replace("['__FILES__']", () => JSON.stringify(files));
      await writeFile(join(dir, 'service-worker.js'), script);
    },
  };
}

/** The scripts of the first screens, and of what loads after them. */
function shellFiles(bundle: Rolldown.OutputBundle): Set<string> {
  const files = new Set<string>();
  const firsts = [...Object.values(firstScreens).map(({ first }) => first), ...later];
  for (const file of Object.values(bundle)) {
    if (file.type !== 'chunk') continue;
    const isFirst = file.isEntry || firsts.some((first) => file.facadeModuleId?.endsWith(first));
    if (isFirst) filesBelow(file.fileName, bundle, files);
  }
  return files;
}
