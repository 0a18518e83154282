import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { BrowserContext } from 'playwright-core';
import { afterAll } from 'vitest';

const top = join(import.meta.dirname, '../..');
const ORIGIN = 'http://gallery.test';

/** A build of the gallery of the web app's components. */
export interface Gallery {
  /** Makes the build available to a browser at `url`. */
  openIn(browser: BrowserContext): Promise<void>;
  url: string;
}

/** Builds the gallery. The build is removed when the test file ends. */
export async function buildGallery(): Promise<Gallery> {
  const folder = await mkdtemp(join(tmpdir(), 'selvage-gallery-'));
  afterAll(() => rm(folder, { recursive: true, force: true }));
  const vite = join(top, 'node_modules/vite/bin/vite.js');
  const words = ['build', '--config', 'vite.gallery.config.ts', '--outDir', folder, '--logLevel', 'warn'];
  await promisify(execFile)(process.execPath, [vite, ...words], { cwd: join(top, 'webmail') });
  return {
    url: `${ORIGIN}/gallery.html`,
    openIn: async (browser) => {
      await browser.route(`${ORIGIN}/**`, async (route) => {
        const path = join(folder, new URL(route.request().url()).pathname);
        await (existsSync(path) ? route.fulfill({ path }) : route.fulfill({ status: 404 }));
      });
    },
  };
}
