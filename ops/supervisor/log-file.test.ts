import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lastLines, openLogFile } from './log-file.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'selvage-log-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

describe('log file', () => {
  it('keeps three older files when it grows past its limit', () => {
    const path = join(dir, 'workers.log');
    const log = openLogFile(path, 10);
    for (let n = 0; n < 7; n++) log.write(`line ${n}\n`);
    log.close();
    expect(readFileSync(path, 'utf8')).toBe('line 6\n');
    expect(readFileSync(`${path}.3`, 'utf8')).toBe('line 3\n');
    expect(existsSync(`${path}.4`)).toBe(false);
  });

  it('appends when it is opened again', () => {
    const path = join(dir, 'mta.log');
    for (const line of ['one\n', 'two\n']) {
      const log = openLogFile(path);
      log.write(line);
      log.close();
    }
    expect(lastLines(path, 5)).toEqual(['one', 'two']);
  });

  it('does not throw when the file cannot be written', () => {
    const log = openLogFile('/dev/full');
    expect(() => log.write('lost\n')).not.toThrow();
    log.close();
  });
});
