import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { Plugin } from 'vite';

const root = dirname(createRequire(import.meta.url).resolve('pdfjs-dist/package.json'));

/**
 * Files that pdf.js loads by name when a PDF needs them: standard fonts that a PDF need not embed,
 * character maps of East Asian scripts, and decoders of pictures in scanned pages. The decoders are
 * the variants without WebAssembly, which the content policy does not allow.
 */
const wanted: Record<string, RegExp> = {
  cmaps: /\.bcmap$/,
  standard_fonts: /\.(pfb|ttf)$/,
  wasm: /_nowasm_fallback\.js$/,
};

/** Copies these files to `assets/pdf-<version>`. */
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
