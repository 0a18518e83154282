import { relative } from 'node:path';
import type { Plugin } from 'vite';

const TOP = new URL('../../', import.meta.url).pathname;

/**
 * Writes `.vite/modules.json` beside the build's manifest: the modules in each file, by their paths
 * from the top of the checkout. It tells which module made a first visit larger
 * (ops/bench/page-weights.ts).
 */
export function listModules(): Plugin {
  return {
    name: 'list-modules',
    apply: 'build',
    generateBundle(_options, bundle) {
      const chunks = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? [file] : []));
      const modules = Object.fromEntries(
        chunks.map(({ fileName, moduleIds }) => [fileName, moduleIds.map(pathOf).toSorted()]),
      );
      this.emitFile({ type: 'asset', fileName: '.vite/modules.json', source: JSON.stringify(modules, null, 1) });
    },
  };
}

/** A module without a file, such as a helper of the bundler, keeps its name. */
function pathOf(id: string): string {
  return id.startsWith('\0') ? id.slice(1) : relative(TOP, id);
}
