import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { groupChunks } from './build/chunks.ts';
import { contractFacts } from './build/contract-facts.ts';
import { firstPaint } from './build/first-paint.ts';
import { inlineTokens } from './build/inline-tokens.ts';
import { leanRouter } from './build/lean-router.ts';
import { listModules } from './build/list-modules.ts';
import { noMirroring } from './build/no-mirroring.ts';
import { pdfFiles } from './build/pdf-files.ts';
import { precompress } from './build/precompress.ts';
import { serviceWorker } from './build/service-worker.ts';
import { themeStyles } from './build/theme-css.ts';

const API = 'http://127.0.0.1:8080';

const plugins = () => [
  contractFacts(),
  inlineTokens(),
  leanRouter(),
  noMirroring(),
  themeStyles(),
  firstPaint(),
  react(),
];

export default defineConfig({
  base: '/',
  plugins: [...plugins(), groupChunks(plugins), pdfFiles(), listModules(), serviceWorker(), precompress()],
  build: {
    manifest: true,
    target: 'es2022',
    modulePreload: {
      // Every browser that runs the app preloads modules by itself
      polyfill: false,
      // The file of the console says itself what it needs, so the first script need not list it
      resolveDependencies: (_file, files) => {
        const ofConsole = files.filter((file) => file.includes('/console-'));
        return ofConsole.length > 0 ? ofConsole : files;
      },
    },
    chunkSizeWarningLimit: 900,
    // On a busy machine it would tell the operator which plugin took how long
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  // One that is a module can fetch further ones
  worker: { format: 'es' },
  server: {
    proxy: { '/api': API, '/upload': API, '/socket.io': { target: API, ws: true } },
  },
});
