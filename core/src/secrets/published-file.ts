import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs';

/** The text of a file; null when there is none. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Makes a file unless it is there already. It appears complete or not at all, and of several
 * processes that make it at once the first one wins: the text is written beside it and then linked,
 * and `link` refuses to replace.
 */
export function publishOnce(path: string, text: string, mode: number): void {
  const temporary = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`;
  const file = openSync(temporary, 'wx', mode);
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
