import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publishOnce, readIfThere } from './published-file.ts';

/**
 * The text of a secret file. If it is missing, it is made from random bytes. Processes that start
 * at once read the same secret.
 */
export function ensureSecretFile(directory: string, name: string, bytes: number): string {
  const path = join(directory, name);
  const found = readIfThere(path);
  if (found !== null) return found.trim();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  publishOnce(path, `${randomBytes(bytes).toString('hex')}\n`, 0o600);
  syncDirectory(directory);
  return readFileSync(path, 'utf8').trim();
}

function syncDirectory(directory: string): void {
  const handle = openSync(directory, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
