import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

const compress = promisify(brotliCompress);

/**
 * Writes `<asset>.br` beside every text asset, so that the server never compresses at request time.
 * It reads the written files, since other plugins still change the bundle while it is generated.
 */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    async writeBundle({ dir = '' }, bundle) {
      const names = Object.keys(bundle).filter((name) => /\.(js|css|svg|html)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const path = join(dir, name);
          const options = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
          await writeFile(`${path}.br`, await compress(await readFile(path), options));
        }),
      );
    },
  };
}
