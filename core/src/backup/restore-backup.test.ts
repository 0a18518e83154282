import { execFileSync } from 'node:child_process';
import { constants, existsSync, statSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Backups, makeBackups, makeWhole, readOf, storeMessages } from '../../../tests/support/backups.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startCommand } from '../../../tests/support/start-command.ts';
import { startTestApp, testEnvironment } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { onOneConnection } from '../database/run-statement.ts';
import { replyOnVacation } from '../jobs/reply-on-vacation.ts';
import { Message } from '../models/message.ts';
import { indexPath } from '../search-index/index-path.ts';
import { digestFile, dumpFile, keyFile } from './manifest.ts';
import { isHalfRestored } from './restore-marker.ts';

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
const isEmpty = (host: NodeJS.ProcessEnv) => readOf(host, 'SHOW TABLES').length === 0;

/** A restore that checks its backup, and waits there for the bytes of a blob: it is a pipe. */
async function restoreUpToCheck() {
  const [key = ''] = await store(1);
  await backUp();
  const target = await testEnvironment();
  const [path, bytes] = [backups.blob(key), await readFile(backups.blob(key))];
  await rename(path, `${path}.away`);
  execFileSync('mkfifo', [path]);
  const restore = backups.startRestore(target);
  // Without O_NONBLOCK this would wait for ever if the restore does not come to read
  const pipe = await until('the blob is read', () => open(path, constants.O_WRONLY | constants.O_NONBLOCK));
  /** Lets it go on to the copy of the blobs, where it waits for the bytes again. */
  const passCheck = async (): Promise<void> => {
    await pipe.writeFile(bytes);
    await pipe.close();
  };
  const putBack = () => rename(`${path}.away`, path);
  const goOn = async (): Promise<void> => {
    // The copy reads the file anew, perhaps as soon as the pipe is closed
    await putBack();
    await passCheck();
  };
  return { target, restore, passCheck, putBack, goOn };
}

describe('a restore', { timeout: 240_000 }, () => {
  it('refuses a backup that was changed, names what, and touches nothing', async () => {
    const [gone = '', changed = '', kept = ''] = await store(3);
    const { name } = await backUp();
    const target = await testEnvironment();
    await rename(backups.blob(gone), `${backups.blob(gone)}.away`);
    await writeFile(backups.blob(changed), Buffer.alloc(statSync(backups.blob(changed)).size));
    const refused = await backups.restore(target);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain(`blob ${gone} is missing or was changed`);
    expect(refused.output).toContain(`blob ${changed} is missing or was changed`);
    expect(refused.output).not.toContain(kept);
    expect(isEmpty(target)).toBe(true);
    expect(await readdir(target['SELVAGE_DATA'] ?? '')).not.toContain('blobs');

    const accepted = await backups.restore(target, '--accept-losses');
    expect(accepted.code).toBe(1);
    expect(accepted.output).toMatch(new RegExp(`need these blobs:\n(  [0-9a-f]{64}\n)*  ${gone}\n`));
    expect(readOf(target, 'SELECT COUNT(*) FROM messages')).toEqual([String(await Message.count())]);

    const second = await testEnvironment();
    for (const file of [keyFile, dumpFile]) {
      const path = join(backups.directory, name, file);
      await writeFile(path, (await readFile(path)).subarray(0, -20));
      const { code, output } = await backups.restore(second, '--accept-losses');
      expect([code, output]).toEqual([1, expect.stringContaining(`${path} was changed`)]);
      expect(output).toContain('nothing was restored: without its database, its list of blobs and its secret key');
    }
    expect(isEmpty(second)).toBe(true);
  });

  it('needs no whole file of the secret key where the key is given, and writes it', async () => {
    const { name } = await backUp();
    await writeFile(join(backups.directory, name, keyFile), 'changed');
    const target: NodeJS.ProcessEnv = { ...(await testEnvironment()), SELVAGE_SECRET_KEY: 'ab'.repeat(32) };
    expect(await backups.restore(target, '--accept-losses')).toMatchObject({
      code: 2,
      output: expect.stringContaining('SELVAGE_SECRET_KEY is not the key'),
    });
    const given = { ...target, SELVAGE_SECRET_KEY: app.config.secretKey.toString('hex') };
    const { code, output } = await backups.restore(given, '--accept-losses');
    expect([code, output]).toEqual([1, expect.stringContaining(`restored ${name}`)]);
    const written = await readFile(join(target['SELVAGE_DATA'] ?? '', 'secrets/secret-key'), 'utf8');
    expect(written).toBe(`${given.SELVAGE_SECRET_KEY}\n`);
  });

  it('leaves out a certificate and settings that were changed, where losses are accepted', async () => {
    const own = join(app.config.dataDir, 'tls');
    await mkdir(own);
    onTestFinished(async () => await rm(own, { recursive: true }));
    for (const name of ['cert.pem', 'key.pem']) await writeFile(join(own, name), 'of the backup');
    const { name } = await backUp();
    const [key, settings] = [join(backups.directory, name, 'files/tls/key.pem'), 'files/settings.env'];
    await writeFile(key, 'changed');
    await rm(join(backups.directory, name, settings));
    const target = await testEnvironment();
    const refused = await backups.restore(target);
    expect(refused).toMatchObject({ code: 1, output: expect.stringContaining(`${key} was changed`) });
    expect(refused.output).toMatch(/\nnothing was restored; --accept-losses restores what is left\n$/);
    expect(isEmpty(target)).toBe(true);

    const { code, output } = await backups.restore(target, '--accept-losses');
    expect([code, output]).toEqual([1, expect.stringContaining('every row has its bytes')]);
    expect(output).toContain('the certificate of the backup is damaged and was left out');
    expect(output).toContain(`the settings of that host are damaged: ${join(backups.directory, name, settings)}\n`);
    expect(existsSync(join(target['SELVAGE_DATA'] ?? '', 'tls'))).toBe(false);
    expect((await startCommand('core/src/startup/main-migrate.ts', [], target).ended).code).toBe(0);
  });

  it('refuses a backup of a newer version', async () => {
    const { name } = await backUp();
    const target = await testEnvironment();
    await backups.changeManifest(name, ({ schema }) => schema.push('99990101-0000-of-the-future.ts'));
    expect(await backups.restore(target)).toMatchObject({ code: 2, output: expect.stringContaining('newer version') });
    await backups.changeManifest(name, (manifest) => Object.assign(manifest, { format: 2 }));
    expect(await backups.restore(target)).toMatchObject({ code: 2, output: expect.stringContaining('newer version') });
    expect(isEmpty(target)).toBe(true);
  });

  it('brings a backup of an older version up to this one', async () => {
    const { name } = await backUp();
    const step = '20261122-1300-removal-hold.ts';
    const dump = join(backups.directory, name, dumpFile);
    const text = gunzipSync(await readFile(dump)).toString('latin1');
    const older = text
      .replace(/-- Table structure for table `removal_hold`[^]*?UNLOCK TABLES;\n/, '')
      .replaceAll(new RegExp(`,\\n?\\('${step}'(,\\d+)*\\)`, 'g'), '');
    for (const gone of ['`removal_hold`', step]) expect(older).not.toContain(gone);
    await writeFile(dump, gzipSync(Buffer.from(older, 'latin1')));
    const digest = await digestFile(dump);
    await backups.changeManifest(name, (manifest) => {
      manifest.files = manifest.files.map((file) => (file.path === dumpFile ? { ...file, ...digest } : file));
      manifest.schema = manifest.schema.filter((one) => one !== step);
    });
    const target = await testEnvironment();
    expect(await backups.restore(target)).toMatchObject({ code: 0, output: expect.stringContaining('(1 steps)') });
    expect(readOf(target, `SELECT COUNT(*) FROM schema_migrations WHERE name = '${step}'`)).toEqual(['1']);
    expect(readOf(target, 'SELECT id FROM removal_hold')).toEqual(['1']);
  });

  it('refuses a host that has data or runs, and another secret key', async () => {
    await backUp();
    // A host that runs always has a connection
    expect(await onOneConnection(app.db, () => backups.restore(environment))).toMatchObject({
      code: 2,
      output: expect.stringContaining('is running'),
    });
    const target = await testEnvironment();
    const otherKey = { ...target, SELVAGE_SECRET_KEY: 'ab'.repeat(32) };
    expect(await backups.restore(otherKey)).toMatchObject({
      code: 2,
      output: expect.stringContaining('SELVAGE_SECRET_KEY'),
    });
    expect((await backups.restore(target)).code).toBe(0);
    expect(await backups.restore(target)).toMatchObject({ code: 2, output: expect.stringContaining('--replace') });
    const before = await Message.count();
    await store(1);
    await backUp();
    expect((await backups.restore(target, '--replace')).code).toBe(0);
    expect(readOf(target, 'SELECT COUNT(*) FROM messages')).toEqual([String(before + 1)]);
  });

  it.each(['in the data directory', 'elsewhere'])('removes the search indexes %s, and nothing else', async (place) => {
    await backUp();
    const own = await testEnvironment();
    const isElsewhere = place === 'elsewhere';
    const directory = join((isElsewhere ? await testEnvironment() : own)['SELVAGE_DATA'] ?? '', 'search');
    const target = isElsewhere ? { ...own, SEARCH_DIRECTORY: directory } : own;
    expect((await backups.restore(target)).code).toBe(0);
    // Of a person who came after the snapshot
    const index = indexPath(directory, '4711');
    await mkdir(dirname(index), { recursive: true });
    const others = [join(directory, 'README'), join(dirname(index), 'notes.db')];
    for (const path of [index, `${index}-wal`, ...others]) await writeFile(path, 'x');
    expect((await backups.restore(target, '--replace')).code).toBe(0);
    expect([index, `${index}-wal`, ...others].map((path) => existsSync(path))).toEqual([false, false, true, true]);
  });

  it('over a host whose disk fills up leaves that host as it was, and able to start', async () => {
    const target = await testEnvironment();
    const data = target['SELVAGE_DATA'] ?? '';
    const secret = join(data, 'secrets/secret-key');
    expect((await startCommand('core/src/startup/main-migrate.ts', [], target).ended).code).toBe(0);
    await store(1);
    await backUp();
    // Stands for a full disk: no folder can be made in the store
    const before = await readFile(secret, 'utf8');
    const full = { ...target, BLOB_STORE: `file:${join(secret, 'blobs')}` };
    const { code, output } = await backups.restore(full, '--replace');
    expect(code).toBe(2);
    expect(output).toContain('the host that was to be replaced is as it was and can start');
    expect(await readFile(secret, 'utf8')).toBe(before);
    expect(isHalfRestored({ dataDir: data })).toBe(false);
    expect((await startCommand('core/src/startup/main-migrate.ts', [], target).ended).code).toBe(0);
  });

  it('ends in order when it is interrupted while it checks the backup', async () => {
    const { target, restore, goOn } = await restoreUpToCheck();
    restore.child.kill('SIGTERM');
    await goOn();
    expect(await restore.ended).toEqual({ code: 2, output: expect.stringMatching(/\nselvage: interrupted\n$/) });
    expect(isHalfRestored({ dataDir: target['SELVAGE_DATA'] ?? '' })).toBe(false);
    expect(isEmpty(target)).toBe(true);
  });

  it('leaves links in the place of the certificate, and says so', async () => {
    const own = join(app.config.dataDir, 'tls');
    await mkdir(own);
    onTestFinished(async () => await rm(own, { recursive: true }));
    for (const name of ['cert.pem', 'key.pem']) await writeFile(join(own, name), 'of the backup');
    await backUp();
    const target = await testEnvironment();
    const [renewed, tls] = [join(target['SELVAGE_DATA'] ?? '', 'live'), join(target['SELVAGE_DATA'] ?? '', 'tls')];
    await mkdir(tls);
    await symlink(renewed, join(tls, 'cert.pem'));
    await writeFile(join(tls, 'key.pem'), 'own');
    const linked = await backups.restore(target);
    expect(linked).toMatchObject({ code: 0, output: expect.stringContaining('the certificate was left as it is') });
    expect(await readlink(join(tls, 'cert.pem'))).toBe(renewed);
    expect(await readFile(join(tls, 'key.pem'), 'utf8')).toBe('own');
    await rm(join(tls, 'cert.pem'));
    const plain = await backups.restore(target, '--replace');
    expect(plain).toMatchObject({ code: 0, output: expect.not.stringContaining('certificate') });
    expect(await readFile(join(tls, 'cert.pem'), 'utf8')).toBe('of the backup');
  });

  it('refuses a host that was started while the backup was checked, and leaves it as it is', async () => {
    const { target, restore, goOn } = await restoreUpToCheck();
    expect((await startCommand('core/src/startup/main-migrate.ts', [], target).ended).code).toBe(0);
    await goOn();
    expect(await restore.ended).toMatchObject({ code: 2, output: expect.stringContaining('--replace') });
    expect(isHalfRestored({ dataDir: target['SELVAGE_DATA'] ?? '' })).toBe(false);
    expect(readOf(target, 'SELECT COUNT(*) FROM users')).toEqual(['1']);
  });

  it('refuses a second one at the same time, also from a container that sees no more than the database', async () => {
    const { target, restore, goOn } = await restoreUpToCheck();
    const { SELVAGE_DATA } = await testEnvironment();
    expect(await backups.restore({ ...target, SELVAGE_DATA })).toMatchObject({
      code: 2,
      output: expect.stringContaining('another command is restoring this host'),
    });
    await goOn();
    expect(await restore.ended).toMatchObject({ code: 0 });
  });

  it('that is killed keeps the host from starting, and can be run again', async () => {
    await store(60);
    const { target, restore: first, passCheck, putBack } = await restoreUpToCheck();
    const blobs = join(target['SELVAGE_DATA'] ?? '', 'blobs');
    await passCheck();
    await until('blobs are copied', async () => (await readdir(blobs)).length > 5);
    first.child.kill('SIGKILL');
    await first.ended;
    await putBack();
    const start = await startCommand('core/src/startup/main-migrate.ts', [], target).ended;
    expect(start).toMatchObject({
      code: 2,
      output: expect.stringContaining('A restore into this host has not ended'),
    });
    expect(isEmpty(target)).toBe(true);
    await until('the dead restore has left the database', async () => (await backups.restore(target)).code === 0);
    expect((await startCommand('core/src/startup/main-migrate.ts', [], target).ended).code).toBe(0);
  });

  it('ends sessions and links, announces jobs again but no vacation replies, and lets outgoing mail wait until it is released', async () => {
    const { user, company } = ana;
    const [userId, companyId] = [String(user.id), String(company.id)];
    await store(1);
    const soon = new Date(Date.now() + 3_600_000);
    const now = new Date();
    for (const state of ['queued', 'held', 'relayed']) {
      await changeRows(
        ctx,
        `INSERT INTO deliveries (company_id, mail_id, direction, recipient, recipient_domain, envelope_from, state,
           next_attempt_at, lease_until, claim_id, created_at, updated_at)
         VALUES (?, ?, 'out', 'a@remote.test', 'remote.test', 'b@host.test', ?, ?, ?, 'claim', ?, ?)`,
        [companyId, randomUUID(), state, soon, soon, now, now],
      );
    }
    await changeRows(
      ctx,
      `INSERT INTO sessions (company_id, user_id, session_key, refresh_hash, device_ip, user_agent, token_version,
         last_active, expires_at, created_at, updated_at) VALUES (?, ?, ?, ?, '::1', 'x', 0, ?, ?, ?, ?)`,
      [companyId, userId, randomUUID(), randomUUID(), now, soon, now, now],
    );
    await changeRows(
      ctx,
      `INSERT INTO one_time_links (company_id, user_id, purpose, token_hash, address, expires_at, created_at)
       VALUES (?, ?, 'set_password', ?, 'a@b.test', ?, ?)`,
      [companyId, userId, randomUUID(), soon, now],
    );
    for (const relayedAt of [null, now]) {
      await changeRows(
        ctx,
        `INSERT INTO outbox (job_name, payload, dedupe_id, available_at, created_at, relayed_at)
         VALUES (?, '{"entryId":"1"}', 'vacation-1', ?, ?, ?)`,
        [replyOnVacation.name, soon, now, relayedAt],
      );
    }
    await changeRows(ctx, 'UPDATE outbox SET relayed_at = ? WHERE job_name <> ?', [now, replyOnVacation.name]);
    await changeRows(ctx, 'UPDATE folders SET uid_validity = 4000000000 WHERE user_id = ?', [userId]);
    const { manifest } = await backUp();
    expect(manifest.rows.waiting).toBe(2);
    const target = await testEnvironment();
    const { code, output } = await backups.restore(target);
    expect(code).toBe(0);
    expect(output).toContain('2 outgoing deliveries wait');
    const left = `SELECT state, lease_until, next_attempt_at FROM deliveries WHERE direction = 'out' AND state IN ('held', 'queued') ORDER BY state`;
    expect(readOf(target, left)).toEqual(['held\tNULL\tNULL', 'queued\tNULL\tNULL']);
    expect(readOf(target, 'SELECT COUNT(*) FROM sessions WHERE ended_at IS NULL')).toEqual(['0']);
    expect(readOf(target, 'SELECT COUNT(*) FROM one_time_links WHERE expires_at > UTC_TIMESTAMP(3)')).toEqual(['0']);
    const announced = readOf(target, 'SELECT job_name FROM outbox WHERE relayed_at IS NULL');
    expect(announced).toContain('domain.generate-dkim');
    expect(announced).not.toContain(replyOnVacation.name);

    const kept = 'SELECT COUNT(*) FROM folders WHERE uid_validity <= 4000000000';
    const ahead = readOf(target, `SELECT DISTINCT uid_validity FROM folders WHERE user_id = ${userId}`);
    expect(ahead).toEqual(['4000000001']);
    expect(readOf(target, `${kept} AND uid_validity < UNIX_TIMESTAMP() - 600`)).toEqual(['0']);

    expect((await backups.release(target)).output).toContain('2 outgoing');
    const due = 'SELECT COUNT(*) FROM deliveries WHERE next_attempt_at <= UTC_TIMESTAMP(3)';
    expect(readOf(target, `${due} AND state IN ('held', 'queued')`)).toEqual(['2']);
    const other = await testEnvironment();
    expect((await backups.restore(other, '--send-outgoing')).output).not.toContain('outgoing deliveries wait');
    expect(
      readOf(other, `SELECT COUNT(*) FROM deliveries WHERE next_attempt_at > UTC_TIMESTAMP() AND lease_until IS NULL`),
    ).toEqual(['2']);
  });
});
