import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'selvage-setup-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function setUp(): void {
  execFileSync(process.execPath, [join(import.meta.dirname, 'setup.ts'), folder]);
}

function read(name: string): string {
  return readFileSync(join(folder, name), 'utf8').trim();
}

describe('the secrets of the containers', () => {
  it('are made once, closed to other accounts', () => {
    setUp();
    const names = ['database-password', 'database-root-password', 'database-url'];
    expect(readdirSync(folder).toSorted()).toEqual(names);
    for (const name of names) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    expect(read('database-url')).toBe(`mysql://selvage:${read('database-password')}@database:3306/selvage`);
    const before = names.map(read);
    setUp();
    expect(names.map(read)).toEqual(before);
  });

  it('are completed where a start was cut off while it wrote the address of the database', () => {
    setUp();
    const whole = read('database-url');
    writeFileSync(join(folder, 'database-url'), '');
    setUp();
    expect(read('database-url')).toBe(whole);
  });
});
