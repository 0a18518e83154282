import { execFileSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Backups, makeBackups, makeWhole, storeMessages } from '../../../tests/support/backups.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { freePorts } from '../../../tests/support/free-ports.ts';
import { mountSmallDisk } from '../../../tests/support/small-disk.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { removeMessageIfUnreferenced } from '../mailstore/remove-unreferenced.ts';
import { neededKeys } from '../mailstore/report-damage.ts';
import { receive } from '../mailstore/test-messages.ts';
import { Message } from '../models/message.ts';
import { OperatorError } from '../operator-error.ts';
import { type BackupJob, makeBackup } from './make-backup.ts';
import { markRestoring, unmarkRestoring } from './restore-marker.ts';

let environment: NodeJS.ProcessEnv;
let app: App;
let ctx: Ctx;
let ana: Mailbox;
let backups: Backups;

beforeAll(async () => {
  environment = await testEnvironment();
  app = await startTestApp(environment);
  ctx = systemContext(app);
  ana = await buildMailbox(app);
});

beforeEach(async () => {
  backups = await makeBackups();
});

const store = (count: number) => storeMessages(ctx, ana, count);
const backUp = () => makeWhole(backups, environment);
const disk = mountSmallDisk('3m');

afterAll(() => disk?.unmount());

/** Deletes a message at once, as the job does when no person has it. */
async function remove(condition: string, value: string): Promise<void> {
  await changeRows(
    ctx,
    `UPDATE mailbox_entries e JOIN messages m ON m.id = e.message_id SET e.folder = 'gone' WHERE m.${condition} = ?`,
    [value],
  );
  for (const { id } of await Message.findAll({ where: { [condition === 'id' ? 'id' : 'blobKey']: value } })) {
    expect(await removeMessageIfUnreferenced(ctx, String(id))).toBe('removed');
  }
}

/**
 * Keeps a backup from its end, however quick it is: the bytes of one message are a pipe without a
 * writer. Answers what puts the bytes back, and what ends the wait of a backup that has begun to
 * read them.
 */
async function holdUp(key: string): Promise<{ end: () => Promise<void>; letGo: () => Promise<void> }> {
  const path = join(app.config.blobStore.directory, key.slice(0, 2), key);
  await rename(path, `${path}.away`);
  execFileSync('mkfifo', [path]);
  const end = async (): Promise<void> => {
    if (existsSync(`${path}.away`)) await rename(`${path}.away`, path);
  };
  onTestFinished(end);
  return { end, letGo: async () => await (await open(path, 'r+')).close() };
}

const hasBegunToCopy = async () => existsSync(join(backups.directory, 'blobs')) && (await backups.blobs()).length > 5;

/** A backup in this process, and what happens once it has told of a step. */
function jobOf(onStep: () => void, step = 'database written'): BackupJob {
  return {
    config: app.config,
    db: app.db,
    directory: backups.directory,
    version: '0',
    settings: {},
    signal: new AbortController().signal,
    progress: { at: () => undefined, say: (line) => line.startsWith(step) && onStep() },
  };
}

describe('a backup', { timeout: 240_000 }, () => {
  it('keeps the bytes that its rows refer to while mail is deleted, and leaves out mail that comes meanwhile', async () => {
    const keys = await store(40);
    const messages = await Message.findAll({ where: { blobKey: keys } });
    await changeRows(ctx, "UPDATE mailbox_entries SET folder = 'gone' WHERE message_id IN (?)", [
      messages.map(({ id }) => String(id)),
    ]);
    const late: Promise<unknown>[] = [];
    const outcomes: Promise<string>[] = [];
    const job = jobOf(() => {
      outcomes.push(...messages.map(({ id }) => removeMessageIfUnreferenced(ctx, String(id))));
      late.push(store(1));
    });
    const snapshot = await makeBackup(job);
    expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['held']));
    const [newer] = (await Promise.all(late)).flat();
    expect(snapshot.manifest.lost).toEqual([]);
    expect(await backups.blobs()).toEqual(expect.arrayContaining(keys));
    expect(await backups.blobs()).not.toContain(newer);
    expect(await removeMessageIfUnreferenced(ctx, String(messages[0]?.id))).toBe('removed');
  });

  it('ends with a sentence when the hold of removals was lost meanwhile', async () => {
    await store(1);
    const changed: Promise<unknown>[] = [];
    const job = jobOf(() => {
      changed.push(changeRows(ctx, 'UPDATE removal_hold SET held_until = UTC_TIMESTAMP(3)', []));
    });
    await expect(makeBackup(job)).rejects.toThrow('bytes may have been removed meanwhile');
    await Promise.all(changed);
    expect(await backups.snapshots()).toEqual([]);
  });

  it('of a host that is half restored is refused, since the snapshot would lack what is not restored yet', async () => {
    await markRestoring(app.config, '2026-11-30T02-30-00Z');
    onTestFinished(() => unmarkRestoring(app.config));
    await expect(makeBackup(jobOf(() => undefined))).rejects.toThrow('A restore into this host has not ended');
    for (const options of [
      ['--keep', '1'],
      ['--prune', '--keep', '1'],
    ]) {
      expect(await backups.backUp(environment, ...options)).toMatchObject({
        code: 2,
        output: expect.stringContaining('A restore into this host has not ended'),
      });
    }
    expect(await backups.snapshots()).toEqual([]);
  });

  it('has the rows, their bytes, the secrets and the settings, readable for its owner alone', async () => {
    const keys = await store(3);
    const { name, manifest } = await backUp();
    expect(await backups.blobs()).toEqual(expect.arrayContaining(keys));
    const messages = await Message.count();
    expect(manifest).toMatchObject({ rows: { messages, companies: 2, users: 2 }, hostname: 'host.test', lost: [] });
    expect(manifest.blobs.count).toBe(messages);
    const folder = join(backups.directory, name);
    expect(await readFile(join(folder, 'files/secrets/secret-key'), 'utf8')).toBe(
      await readFile(join(app.config.dataDir, 'secrets/secret-key'), 'utf8'),
    );
    expect(await readFile(join(folder, 'files/settings.env'), 'utf8')).toContain("SELVAGE_HOSTNAME='host.test'");
    for (const entry of await readdir(backups.directory, { recursive: true, withFileTypes: true })) {
      const { mode } = statSync(join(entry.parentPath, entry.name));
      expect([entry.name, mode & 0o077]).toEqual([entry.name, 0]);
    }
  });

  it('copies only blobs that are new, and with --keep removes what no kept snapshot needs', async () => {
    await store(3);
    await backUp();
    const [own = ''] = await store(1);
    expect((await backups.backUp(environment)).output).toContain('selvage: 1 new blobs copied');
    await remove('blob_key', own);
    const before = (await backups.blobs()).length;
    expect((await backups.backUp(environment, '--keep', '2')).code).toBe(0);
    expect(await backups.snapshots()).toHaveLength(2);
    expect(await backups.blobs()).toContain(own);
    expect((await backups.backUp(environment, '--keep', '1')).output).toContain('and 1 blobs that no other one needs');
    expect(await backups.snapshots()).toHaveLength(1);
    expect(await backups.blobs()).toHaveLength(before - 1);
    expect((await backups.backUp(environment, '--check')).code).toBe(0);
  });

  it('removes with --keep what was copied for a snapshot that was deleted by hand', async () => {
    await backUp();
    const [own = ''] = await store(1);
    const { name } = await backUp();
    await rm(join(backups.directory, name), { recursive: true });
    await remove('blob_key', own);
    expect(await backups.blobs()).toContain(own);
    expect((await backups.backUp(environment, '--keep', '9')).code).toBe(0);
    expect(await backups.blobs()).not.toContain(own);
    expect(await backups.snapshots()).toHaveLength(2);
  });

  it('is whole where an older one has no right list, which is named, and then nothing is removed', async () => {
    const [own = ''] = await store(1);
    await backUp();
    const { name } = await backUp();
    await remove('blob_key', own);
    const list = join(backups.directory, name, 'blobs.list');
    const text = await readFile(list, 'utf8');
    const wrongDigit = text.replace(own, `${own.startsWith('0') ? '1' : '0'}${own.slice(1)}`);
    for (const [content, words] of [
      ['', 'was changed'],
      [wrongDigit, 'was changed'],
      [null, 'is missing'],
    ] as const) {
      const before = (await backups.snapshots()).length;
      await (content === null ? rm(list) : writeFile(list, content));
      const sentence = `${list} ${words}, so nothing shows which blobs that backup needs`;
      const { code, output } = await backups.backUp(environment, '--keep', '2');
      expect(code).toBe(1);
      expect(output).toContain(`the backup is whole, but older ones could not be removed: ${sentence}\n`);
      expect(output).toContain('every row of the backup has its bytes\n');
      const pruned = await backups.backUp(environment, '--prune', '--keep', '2');
      expect(pruned).toEqual({ code: 2, output: `selvage: ${sentence}\n` });
      expect(await backups.snapshots()).toHaveLength(before + 1);
      expect(await backups.blobs()).toContain(own);
      await rm(join(backups.directory, (await backups.snapshots()).at(-1) ?? ''), { recursive: true });
    }
    await writeFile(list, text);
    expect((await backups.backUp(environment, '--keep', '2')).code).toBe(0);
    expect(await backups.snapshots()).toHaveLength(2);
    expect(await backups.blobs()).toContain(own);
  });

  it('is whole when it is interrupted at its end, and then nothing is removed', async () => {
    const { name } = await backUp();
    const stopping = new AbortController();
    const job = jobOf(() => stopping.abort(new OperatorError('interrupted')), 'read and proved');
    const made = await makeBackup({ ...job, keep: 1, signal: stopping.signal });
    expect(made.unpruned).toBe('interrupted');
    expect(await backups.snapshots()).toEqual([name, made.name]);
    expect((await backups.backUp(environment, '--check')).code).toBe(0);
  });

  it('can be pruned without a new one, which makes room on a full disk', async () => {
    expect(await backups.backUp(environment, '--prune', '--keep', '1')).toEqual({
      code: 2,
      output: `selvage: there is no finished backup in ${backups.directory}\n`,
    });
    const [own = ''] = await store(1);
    await backUp();
    await remove('blob_key', own);
    const { name } = await backUp();
    await mkdir(join(backups.directory, 'unfinished-2026-01-01T00-00-00Z'));
    expect(await backups.backUp(environment, '--prune')).toMatchObject({
      code: 2,
      output: expect.stringContaining('--prune needs --keep'),
    });
    const pruned = await backups.backUp(environment, '--prune', '--keep', '1');
    expect(pruned).toEqual({
      code: 0,
      output:
        'selvage: removed 1 older backups and 1 blobs that no other one needs\n' +
        `${backups.directory} keeps 1 backups, the newest of ${name}\n`,
    });
    expect((await readdir(backups.directory)).sort()).toEqual([name, 'SELVAGE-BACKUP', 'blobs'].sort());
    expect(await backups.blobs()).not.toContain(own);
    expect(await readRows(ctx, 'SELECT id FROM removal_hold WHERE held_until IS NULL', [])).toHaveLength(1);
    expect((await backups.backUp(environment, '--check')).code).toBe(0);
  });

  it('of another host is refused, and the directory left as it is', async () => {
    const mark = join(backups.directory, 'SELVAGE-BACKUP');
    const other = { ...environment, SELVAGE_SECRET_KEY: 'ab'.repeat(32) };
    const { name } = await backUp();
    const marked = await readFile(mark, 'utf8');
    const output = `selvage: ${backups.directory} holds the backups of another host; give each host a directory of its own\n`;
    expect(await backups.backUp(other, '--keep', '1')).toEqual({ code: 2, output });
    expect(await backups.backUp(other, '--prune', '--keep', '1')).toEqual({ code: 2, output });
    expect([await backups.snapshots(), await readFile(mark, 'utf8')]).toEqual([[name], marked]);
    expect((await backups.backUp(environment, '--list')).output).toContain(' of host.test, ');
    // As an earlier version left it
    await writeFile(mark, 'Backups of a Selvage host.\n');
    await backUp();
    expect(await readFile(mark, 'utf8')).toBe(marked);
  });

  it('is kept when a clock that was ahead has given another one a later name, and says so', async () => {
    const { name } = await backUp();
    const later = '2099-01-01T00-00-00Z';
    await rename(join(backups.directory, name), join(backups.directory, later));
    const two = await backups.backUp(environment, '--keep', '2');
    expect(two).toMatchObject({ code: 0, output: expect.stringContaining(`the time of ${later} is still to come`) });
    expect(await backups.snapshots()).toEqual([expect.any(String), later]);
    const one = await backups.backUp(environment, '--keep', '1');
    expect(one).toMatchObject({ code: 0, output: expect.not.stringContaining('still to come') });
    expect(await backups.snapshots()).toEqual([expect.not.stringContaining(later)]);
    expect((await backups.backUp(environment, '--check')).code).toBe(0);
  });

  it('that is killed is not taken for a whole one, and the next one succeeds', async () => {
    const [key = ''] = await store(60);
    const { end } = await holdUp(key);
    const first = backups.startBackup(environment);
    await until('bytes are copied', hasBegunToCopy);
    first.child.kill('SIGKILL');
    expect((await first.ended).code).toBeNull();
    await end();
    expect((await readdir(backups.directory)).filter((name) => name.startsWith('unfinished-'))).toHaveLength(1);
    expect(await backups.snapshots()).toEqual([]);
    const target = await testEnvironment();
    expect(await backups.restore(target)).toMatchObject({
      code: 2,
      output: expect.stringContaining('no finished backup'),
    });
    expect((await backups.backUp(environment, '--check')).code).toBe(2);

    const next = backups.startBackup(environment);
    await until('it waits for the end of the hold', () => next.output().includes('waiting up to'));
    // Stands for the time that the hold of the dead lasts
    await changeRows(ctx, 'UPDATE removal_hold SET held_until = UTC_TIMESTAMP(3)', []);
    expect(await next.ended).toMatchObject({ code: 0 });
    expect(await readdir(backups.directory)).toHaveLength(3);
    expect((await backups.backUp(environment, '--check')).code).toBe(0);
  });

  it('ends in order when it is interrupted, and leaves no hold', async () => {
    const [key = ''] = await store(60);
    const { end, letGo } = await holdUp(key);
    const running = backups.startBackup(environment);
    await until('bytes are copied', hasBegunToCopy);
    running.child.kill('SIGTERM');
    // It may come to the pipe later
    await until('it ends', async () => {
      await letGo();
      return running.child.exitCode !== null;
    });
    expect(await running.ended).toMatchObject({ code: 2, output: expect.stringContaining('interrupted') });
    expect(await backups.snapshots()).toEqual([]);
    expect(await readRows(ctx, 'SELECT id FROM removal_hold WHERE held_until IS NULL', [])).toHaveLength(1);
    await end();
    await backUp();
  });

  it('names the blobs that the host has lost, unless an earlier backup has them', async () => {
    const [known = '', changed = ''] = await store(2);
    await backUp();
    const [lost = ''] = await store(1);
    const path = (key: string) => join(app.config.blobStore.directory, key.slice(0, 2), key);
    const bytes = await Promise.all([known, changed, lost].map((key) => readFile(path(key))));
    await Promise.all([rm(path(known)), writeFile(path(changed), 'short'), rm(path(lost))]);
    const done = await backups.backUp(environment);
    expect(done).toMatchObject({ code: 1, output: expect.stringContaining(`  ${lost}\n`) });
    expect(done.output).not.toContain(known);
    expect(done.output).not.toContain(changed);
    await Promise.all([known, changed, lost].map((key, at) => writeFile(path(key), bytes[at] ?? '')));
    await backUp();
  });

  it('names a lost blob that its snapshot needs, though the last message with it is deleted meanwhile', async () => {
    const [kept = '', ended = ''] = await store(2);
    const { id } = await Message.findOne({ where: { blobKey: kept }, rejectOnEmpty: true });
    const deleteForGood = "UPDATE mailbox_entries e JOIN messages m ON m.id = e.message_id SET e.folder = 'gone'";
    await changeRows(ctx, `${deleteForGood} WHERE m.blob_key = ?`, [ended]);
    for (const key of [kept, ended]) await app.blobs.remove(key);
    const changed: Promise<unknown>[] = [];
    const job = jobOf(() => {
      changed.push(changeRows(ctx, `${deleteForGood} WHERE m.blob_key = ?`, [kept]));
    });
    const { manifest } = await makeBackup(job);
    await Promise.all(changed);
    expect(manifest).toMatchObject({ absent: [kept, ended].sort(), lost: [kept] });
    const target = await testEnvironment();
    expect((await backups.restore(target)).output).toContain(`  ${kept}\n`);
    await remove('id', String(id));
    await remove('blob_key', ended);
  });

  it('asks for the rows of more lost blobs than one statement takes', async () => {
    const [key = ''] = await store(1);
    const lost = Array.from({ length: 320_000 }, (_, n) => n.toString(16).padStart(64, '0'));
    expect(await neededKeys(ctx, [...lost, key])).toEqual([key]);
  });

  it('copies a blob anew that was damaged in the backup', async () => {
    const [key = ''] = await store(1);
    await backUp();
    const bytes = await readFile(backups.blob(key));
    await writeFile(backups.blob(key), Buffer.alloc(bytes.length));
    expect((await backups.backUp(environment, '--check')).output).toContain(`blob ${key} is missing or was changed`);
    await backUp();
    expect(await readFile(backups.blob(key))).toEqual(bytes);
  });

  it('fills no directory of other files and none of the host', async () => {
    await writeFile(join(backups.directory, 'letter.txt'), 'x');
    expect(await backups.backUp(environment)).toMatchObject({
      code: 2,
      output: expect.stringContaining('other files'),
    });
    const inside = await makeBackups(join(app.config.dataDir, 'backups'));
    expect(await inside.backUp(environment)).toMatchObject({ code: 2, output: expect.stringContaining('same place') });
    expect(existsSync(inside.directory)).toBe(false);
  });

  it('says in a sentence that the directory can not be made or written', async () => {
    for (const place of ['/proc/backup', '/nowhere/backup', join(app.config.dataDir, 'secrets/secret-key/backup')]) {
      const { code, output } = await (await makeBackups(place)).backUp(environment);
      expect([code, output]).toEqual([2, expect.stringMatching(/^selvage: (?!E[A-Z]{3})[^\n]*\n$/)]);
    }
  });

  it('makes no host where there is none', async () => {
    const nowhere = join(app.config.dataDir, 'nowhere');
    backups = await makeBackups(join(backups.directory, 'new'));
    const done = await backups.backUp({ ...environment, SELVAGE_DATA: nowhere });
    expect(done).toMatchObject({ code: 2, output: expect.stringContaining('there is no host in') });
    expect([existsSync(nowhere), existsSync(backups.directory)]).toEqual([false, false]);
  });

  it('passes over a message that no person has and whose bytes are gone', async () => {
    const [key = ''] = await store(1);
    const { id } = await Message.findOne({ where: { blobKey: key }, rejectOnEmpty: true });
    await changeRows(ctx, "UPDATE mailbox_entries SET folder = 'gone' WHERE message_id = ?", [String(id)]);
    await app.blobs.remove(key);
    expect((await backUp()).manifest).toMatchObject({ absent: [key], lost: [] });
    expect((await backups.backUp(environment, '--check')).code).toBe(0);
    const target = await testEnvironment();
    expect(await backups.restore(target)).toMatchObject({ code: 0 });
    await remove('id', String(id));
  });

  it('says in a sentence that the database is away', async () => {
    const [port] = await freePorts(1);
    const away = { ...environment, DATABASE_URL: `mysql://a:b@127.0.0.1:${port}/selvage` };
    const { code, output } = await backups.backUp(away);
    expect(code).toBe(2);
    expect(output).toMatch(/^selvage: the database can't be reached[^\n]*\n$/);
  });

  it.skipIf(disk === null)('says in a sentence that the disk is full, and keeps the earlier backup', async () => {
    backups = await makeBackups(join(disk?.path ?? '', 'backups'));
    await backUp();
    const { messageId } = await receive(ctx, [ana], { body: 'x'.repeat(3_300_000) });
    const { code, output } = await backups.backUp(environment);
    expect(code).toBe(2);
    expect(output).toMatch(/selvage: the disk is full[^\n]*\n$/);
    expect(await backups.snapshots()).toHaveLength(1);
    await remove('id', messageId);
    expect((await backups.backUp(environment, '--check')).code).toBe(0);
  });
});
