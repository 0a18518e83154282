import { existsSync } from 'node:fs';

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Keeps the browser from asking anything of the world, and lets it run in a container. */
export const quietChromium = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Where the machine's Chromium is. @throws when there is none */
export function findChromium(): string {
  const found = candidates.find((path) => existsSync(path));
  if (!found) throw new Error('no Chromium: ./ops/test installs it');
  return found;
}
