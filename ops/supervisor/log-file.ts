import { closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';

const mostBytes = 10 * 1024 * 1024;
const keptFiles = 3;

export interface LogFile {
  write(chunk: Uint8Array | string): void;
  close(): void;
}

/**
 * Opens a log that moves to `.1`, `.2`, `.3` when it is full. A write never throws: a full disk
 * must not take the mail host down.
 * @throws when the file can't be opened
 */
export function openLogFile(path: string, maxBytes = mostBytes): LogFile {
  let file = openSync(path, 'a', 0o640);
  let size = fstatSync(file).size;
  let lost = 0;

  function rotate(): void {
    for (let n = keptFiles - 1; n >= 1; n--) {
      if (existsSync(`${path}.${n}`)) renameSync(`${path}.${n}`, `${path}.${n + 1}`);
    }
    // The file is missing when the last attempt to open a new one failed
    if (existsSync(path)) renameSync(path, `${path}.1`);
    const next = openSync(path, 'a', 0o640);
    // Only after the new one is open: otherwise, if that fails, the next write would go to a closed
    // or reused descriptor
    closeSync(file);
    file = next;
    size = 0;
  }

  return {
    write(chunk) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
      try {
        if (size + bytes.length > maxBytes && size > 0) rotate();
        if (lost > 0)
          size += writeSync(file, `selvage: ${lost} bytes of log were lost while the disk could not be written\n`);
        lost = 0;
        size += writeSync(file, bytes);
      } catch {
        // The loss is counted, and noted in the log as soon as it can be written again
        lost += bytes.length;
      }
    },
    close() {
      closeSync(file);
    },
  };
}

/** The end of a log, which tells why a start failed. */
export function lastLines(path: string, count: number): string[] {
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8').trimEnd().split('\n').slice(-count);
}
