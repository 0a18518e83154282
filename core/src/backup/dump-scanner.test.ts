import { beforeAll, describe, expect, it } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { changeRows } from '../database/run-sql.ts';
import { startDump } from './database-tools.ts';
import { DumpScanner } from './dump-scanner.ts';

const nasty = [
  "it's",
  'a\\',
  "'),\n(2,'",
  'ünïcode 🎉',
  'INSERT INTO `scanned` (`id`) VALUES (1);',
  '\0\r\n\t"',
  '',
  null,
];

beforeAll(async () => {
  await testApp();
});

/** A dump of the database of this file. */
async function dump(): Promise<Buffer> {
  const app = await testApp();
  const { child, done } = startDump(app.config);
  child.stdin.end();
  const chunks: Buffer[] = [];
  for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
  await done;
  return Buffer.concat(chunks);
}

function scan(chunks: readonly Buffer[], wanted: Record<string, string[]>) {
  const rows: unknown[] = [];
  const scanner = new DumpScanner(wanted, (table, values) => rows.push([table, ...values]));
  for (const chunk of chunks) scanner.push(chunk);
  return { rows, isComplete: scanner.isComplete };
}

describe('DumpScanner', () => {
  it('reads the columns of rows with any text, however the dump is cut into chunks', async () => {
    const app = await testApp();
    const target = { app };
    await changeRows(target, 'CREATE TABLE scanned (id INT PRIMARY KEY, t TEXT, k VARCHAR(64), b BLOB)', []);
    for (const [id, text] of nasty.entries()) {
      await changeRows(target, 'INSERT INTO scanned VALUES (?, ?, ?, 0x27295c0a)', [id, text, `key ${id}`]);
    }
    const bytes = await dump();
    const wanted = { scanned: ['k', 'id'] };
    const rows = nasty.map((_text, id) => ['scanned', `key ${id}`, String(id)]);
    const start = bytes.indexOf('INSERT INTO `scanned`');
    const end = bytes.indexOf('UNLOCK TABLES', start);
    expect(scan([bytes], wanted)).toEqual({ rows, isComplete: true });
    for (let at = start; at <= end; at += 1) {
      expect(scan([bytes.subarray(start - 1, at), bytes.subarray(at, end)], wanted).rows).toEqual(rows);
    }
    await changeRows(target, 'DROP TABLE scanned', []);
  });

  it('tells NULL from a text that says so, and counts rows of which it keeps nothing', async () => {
    const text = "INSERT INTO `a` (`x`, `y`) VALUES (NULL,1),('NULL',2);\n-- Dump completed\n";
    expect(scan([Buffer.from(text)], { a: ['x'] }).rows).toEqual([
      ['a', null],
      ['a', 'NULL'],
    ]);
    expect(scan([Buffer.from(text)], { a: [] }).rows).toEqual([['a'], ['a']]);
  });

  it('says that a dump that was cut off is not complete', async () => {
    const bytes = await dump();
    expect(scan([bytes.subarray(0, -40)], {}).isComplete).toBe(false);
  });
});
