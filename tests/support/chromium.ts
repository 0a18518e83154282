import { existsSync } from 'node:fs';

/**
 * The headless shell comes first: it has no window, toolbar or extensions, and needs half the time.
 */
const candidates = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/**
 * Arguments that keep the browser from calling its vendor, and let it run in a container. Its
 * optimising compilers are off: a page of a test ends before they have gained what they cost, which
 * was a seventh of the processor time of a run.
 */
export const quietChromium = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--no-opt,--no-maglev',
];

/** The path of the machine's Chromium. @throws {Error} when there is none */
export function findChromium(): string {
  const found = candidates.find((path) => existsSync(path));
  if (!found) throw new Error('no Chromium: ./ops/test installs it');
  return found;
}
