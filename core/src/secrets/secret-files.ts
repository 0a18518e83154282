import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The text of a secret file, made from random bytes if it isn't there. The file appears complete or not at all, so processes
 * that start at once all read the same secret.
 */
export function ensureSecretFile(directory: string, name: string, bytes: number): string {
  const path = join(directory, name);
  const found = readIfThere(path);
  if (found !== null) return found;
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  publishOnce(path, `${randomBytes(bytes).toString('hex')}\n`);
  syncDirectory(directory);
  return readFileSync(path, 'utf8').trim();
}

function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Writes beside, then links: `link` fails if somebody else was first, and never shows a half-written file. */
function publishOnce(path: string, text: string): void {
  const temporary = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`;
  const file = openSync(temporary, 'wx', 0o600);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
