import { brotliCompressSync, constants } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';

const API = 'http://127.0.0.1:8080';

/** Writes `<asset>.br` beside every text asset, so that the server never compresses at request time. */
function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: 'build',
    generateBundle(_options, bundle) {
      for (const [fileName, file] of Object.entries(bundle)) {
        if (!/\.(js|css|svg|html)$/.test(fileName)) continue;
        const content = file.type === 'chunk' ? file.code : file.source;
        const source = brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
        this.emitFile({ type: 'asset', fileName: `${fileName}.br`, source });
      }
    },
  };
}

export default defineConfig({
  base: '/',
  plugins: [react(), precompress()],
  build: { manifest: true, target: 'es2022', chunkSizeWarningLimit: 900 },
  server: {
    proxy: { '/api': API, '/upload': API, '/socket.io': { target: API, ws: true } },
  },
});
