import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { text } from 'node:stream/consumers';
import { join } from 'node:path';
import type { App } from '@selvage/core/context/app';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { receive } from '@selvage/core/mailstore/test-messages';
import { avatarPath } from '@selvage/core/models/avatar-path';
import { Draft } from '@selvage/core/models/draft';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import { Message } from '@selvage/core/models/message';
import { beforeAll, describe, expect, it } from 'vitest';
import { slowSweepsOf } from '../../workers/src/sweeps/slow-sweeps.ts';
import { compileCache } from '../support/compile-cache.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { compareStore } from '../support/stored-bytes.ts';
import { startTestApp, testEnvironment } from '../support/test-app.ts';

const program = join(import.meta.dirname, '../support/die-at-step.ts');
const same = { extra: [], missing: [] };
let app: App;
let environment: NodeJS.ProcessEnv;
let ana: Mailbox;

beforeAll(async () => {
  environment = await testEnvironment({ BLOB_ORPHAN_HOURS: '0', SWEEP_SECONDS: '1' });
  app = await startTestApp(environment);
  ana = await buildMailbox(app);
});

type SweepName = 'messages' | 'blobs';

/** Runs a sweep in a process that is killed right before one of its steps. */
async function runDying(name: SweepName, step: number): Promise<string | null> {
  const { PATH, HOME } = process.env;
  const child = spawn(process.execPath, [program, name, String(step)], {
    env: { PATH, HOME, NODE_COMPILE_CACHE: compileCache, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<NodeJS.Signals | number | null>((resolve) => {
    child.once('exit', (code, signal) => resolve(signal ?? code));
  });
  const [output, errors, how] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (how !== 'SIGKILL' && how !== 0) throw new Error(`the sweep ended with ${how}: ${output}${errors}`);
  return how === 0 ? null : output;
}

/** Lets the sweep begin at a place, and nothing hold it up. */
async function makeDue(name: SweepName, position: string): Promise<void> {
  const statement = `UPDATE sweep_steps SET position = :position, due_at = '2020-01-01', lease_until = NULL
    WHERE name = :name`;
  await app.db.query(statement, { replacements: { name, position } });
}

/** The database gives up what the dead process held, and the time of its claim is over. */
async function endClaimOfTheDead(name: SweepName): Promise<void> {
  // Every removal holds this row until it ends
  const lock = 'SELECT id FROM removal_hold WHERE id = 1 FOR UPDATE';
  await inTransaction(systemContext(app), (tx) => app.db.query(lock, { transaction: tx.tx }));
  await app.db.query('UPDATE sweep_steps SET lease_until = NULL WHERE name = :name', { replacements: { name } });
}

async function runWhole(name: SweepName): Promise<void> {
  const sweep = slowSweepsOf(app).find((one) => one.name === name);
  await sweep?.run(new AbortController().signal);
}

/** Keys that must keep their bytes, and the place at which the sweep begins. */
interface Round {
  kept: string[];
  position: string;
}

/**
 * Kills a sweep before its first step, in the next round before its second one, and so on, until it
 * comes to its end. After each death another process goes on.
 * @returns the steps before which it died
 */
async function killAtEveryStep(name: SweepName, prepare: () => Promise<Round>): Promise<string[]> {
  const deaths: string[] = [];
  for (let step = 1; ; step += 1) {
    const { kept, position } = await prepare();
    await makeDue(name, position);
    const death = await runDying(name, step);
    await endClaimOfTheDead(name);
    const where = `killed before step ${step}, ${death}`;
    expect([where, await lostOf(kept)]).toEqual([where, []]);
    await runWhole(name);
    expect([where, await compareStore(app), await lostOf(kept)]).toEqual([where, same, []]);
    if (death === null) return deaths;
    deaths.push(death);
  }
}

/** Those of the keys that have no bytes any more. */
async function lostOf(keys: readonly string[]): Promise<string[]> {
  const there = await Promise.all(keys.map((key) => app.blobs.has(key)));
  return keys.filter((_key, index) => !there[index]);
}

async function keyOf(messageId: string): Promise<string> {
  return (await Message.findByPk(messageId, { rejectOnEmpty: true })).blobKey;
}

/** One message that no person has, beside two that stay. */
async function deletedMessage(): Promise<Round> {
  const ctx = systemContext(app);
  const { entryIds } = await receive(ctx, [ana]);
  const stays = [await receive(ctx, [ana]), await receive(ctx, [ana])];
  await changeStatus(ctx, { userId: String(ana.user.id), entryIds, flags: { deleteStatus: true } });
  return { kept: await Promise.all(stays.map(({ messageId }) => keyOf(messageId))), position: '' };
}

/** Bytes whose blob lies in the folder `5e`. */
function bytesOfFolder(): Buffer {
  for (;;) {
    const bytes = randomBytes(60);
    if (createHash('sha256').update(bytes).digest('hex').startsWith('5e')) return bytes;
  }
}

/** In one folder: a blob without a row, one of a file of a draft, and one of a picture. */
async function orphanBlob(): Promise<Round> {
  const put = async () => await app.blobs.put(bytesOfFolder());
  await put();
  const [file, picture] = [await put(), await put()];
  const owner = { companyId: String(ana.company.id), userId: String(ana.user.id) };
  const draft = await Draft.create({ ...owner, toList: [], ccList: [], bccList: [] });
  const facts = { draftId: String(draft.id), filename: 'a', contentType: 'text/plain' };
  await DraftAttachment.create({ ...facts, size: file.size, blobKey: file.key });
  const wearer = await buildMailbox(app);
  await wearer.user.update({ avatar: avatarPath(picture.key) });
  return { kept: [file.key, picture.key], position: '5e' };
}

describe('a sweep that is killed before any of its steps', () => {
  it('removes messages that no person has, and no others, when another process goes on', async () => {
    const deaths = await killAtEveryStep('messages', deletedMessage);
    expect(deaths).toEqual(expect.arrayContaining(['START TRANSACTION', 'rm', 'COMMIT']));
    expect(deaths.filter((step) => step.startsWith('DELETE FROM messages '))).toHaveLength(1);
    expect(deaths.filter((step) => step.startsWith('UPDATE sweep_steps'))).toHaveLength(2);
  }, 900_000);

  it('removes bytes that no row refers to, and no others, when another process goes on', async () => {
    const deaths = await killAtEveryStep('blobs', orphanBlob);
    expect(deaths).toEqual(expect.arrayContaining(['START TRANSACTION', 'rm', 'COMMIT']));
    expect(deaths.filter((step) => step.startsWith('UPDATE sweep_steps'))).toHaveLength(2);
  }, 900_000);
});
