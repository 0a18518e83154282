import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, openSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';

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
  const temporary = writeBeside(path, text, mode);
  try {
    linkSync(temporary, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    unlinkSync(temporary);
  }
}

/** Makes or replaces a file. After a crash it holds the old text or the new one. */
export function replaceFile(path: string, text: string, mode: number): void {
  const temporary = writeBeside(path, text, mode);
  try {
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

/** Writes a text to the disk, under a name of its own, which it returns. */
function writeBeside(path: string, text: string, mode: number): string {
  const temporary = `${path}.${process.pid}-${randomBytes(6).toString('hex')}`;
  const file = openSync(temporary, 'wx', mode);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } catch (error) {
    // A disk that is full would otherwise collect one more file at each attempt
    unlinkSync(temporary);
    throw error;
  } finally {
    closeSync(file);
  }
  return temporary;
}
