import { existsSync } from 'node:fs';

/** The shell has no window, no toolbar and no extensions to run, and takes half the time. */
const candidates = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** Keeps the browser from calling its vendor, and lets it run in a container. */
export const quietChromium = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The path of the machine's Chromium. @throws {Error} when there is none */
export function findChromium(): string {
  const found = candidates.find((path) => existsSync(path));
  if (!found) throw new Error('no Chromium: ./ops/test installs it');
  return found;
}
