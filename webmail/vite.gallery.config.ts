import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { contractFacts } from './build/contract-facts.ts';
import { firstPaint } from './build/first-paint.ts';
import { inlineTokens } from './build/inline-tokens.ts';
import { themeStyles } from './build/theme-css.ts';

/**
 * The gallery of the kit: a page for those who work on the interface. It is no part of what is
 * shipped (vite.config.ts).
 */
export default defineConfig({
  plugins: [contractFacts(), inlineTokens(), themeStyles(), firstPaint({}), react()],
  build: {
    outDir: '../var/gallery',
    emptyOutDir: true,
    target: 'es2022',
    chunkSizeWarningLimit: 2_000,
    rolldownOptions: { input: 'gallery.html' },
  },
  server: { open: '/gallery.html' },
});
