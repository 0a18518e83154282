import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * What pdf.js fetches by its name when a file needs it: fonts that a PDF may leave out, tables of
 * East Asian scripts, and decoders of pictures in scanned pages. The decoders are the ones without
 * WebAssembly, which the content policy does not admit.
 */
const wanted: Record<string, RegExp> = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(pfb|ttf)$/,
  wasm: /_nowasm_fallback\.js$/,
};

/** Puts these files into `assets/pdf-<version>`. */
export function pdfFiles(): Plugin {
  return {
    name: 'pdf-files',
    apply: 'build',
    async generateBundle() {
      const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
      for (const [folder, pattern] of Object.entries(wanted)) {
        for (const name of await readdir(join(root, folder))) {
          if (!pattern.test(name)) continue;
          const source = await readFile(join(root, folder, name));
          this.emitFile({ type: 'asset', fileName: `assets/pdf-${version}/${folder}/${name}`, source });
        }
      }
    },
  };
}
