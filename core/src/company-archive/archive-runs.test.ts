import { copyFileSync, existsSync, renameSync, statSync } from 'node:fs';
import { readdir, readlink, rm } from 'node:fs/promises';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { testApp } from '../../../tests/support/test-app.ts';
import { until } from '../../../tests/support/until.ts';
import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { changeRows } from '../database/run-sql.ts';
import { receive } from '../mailstore/test-messages.ts';
import { CompanyArchive } from '../models/company-archive.ts';
import { pathsOf } from './archive-file.ts';
import type { Cursor } from './cursor.ts';
import { keepArchives } from './keep-archives.ts';
import { workOnArchive } from './make-archive.ts';
import { ArchiveReader } from './read-archive.ts';
import { askForArchive } from './test-archives.ts';

let app: App;
let ctx: Ctx;

beforeAll(async () => {
  app = await testApp();
  app.config.archives.spareBytes = 0;
  ctx = systemContext(app);
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const rowOf = (id: string) => CompanyArchive.findByPk(id, { rejectOnEmpty: true });
const placesOf = (id: string) => pathsOf(app.config.archives.directory, id);
const filesOf = async (id: string) =>
  (await readdir(app.config.archives.directory)).filter((name) => name.startsWith(`${id}.`)).sort();

async function withMessage(): Promise<Mailbox> {
  const ana = await buildMailbox(app);
  await receive(ctx, [ana]);
  return ana;
}

/** Paths of the files that this process has open. */
async function openFiles(): Promise<string[]> {
  const handles = await readdir('/proc/self/fd');
  // A handle may be closed meanwhile
  return await Promise.all(handles.map((handle) => readlink(`/proc/self/fd/${handle}`).catch(() => '')));
}

/** Begins to work on an archive and holds the run within a step, as it reads a message. */
async function heldRun(id: string) {
  const gate = Promise.withResolvers<void>();
  const read = app.blobs.read.bind(app.blobs);
  const reading = vi.spyOn(app.blobs, 'read').mockImplementation(async (key) => {
    await gate.promise;
    return await read(key);
  });
  const run = workOnArchive(ctx, id);
  await until('the run reads a message', () => reading.mock.calls.length > 0);
  return { run, letGo: () => gate.resolve(), fail: (error: Error) => gate.reject(error) };
}

describe('a run that works on an archive', { timeout: 60_000 }, () => {
  it('keeps its lease during a step, however long that takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const id = await askForArchive(await withMessage());
    const { run, letGo } = await heldRun(id);
    const past = new Date(Date.now() - 1000);
    await CompanyArchive.update({ leaseUntil: past }, { where: { id } });
    await vi.advanceTimersByTimeAsync(10_000);
    await until('the lease is renewed', async () => Number((await rowOf(id)).leaseUntil) > Date.now());
    expect(await workOnArchive(ctx, id)).toBe('done');
    expect((await rowOf(id)).state).toBe('making');
    letGo();
    await run;
    expect(await rowOf(id)).toMatchObject({ state: 'ready', done: 1, leaseUntil: null });
  });

  it('has its lease for a minute, also where the clock was ahead when it was killed', async () => {
    const id = await askForArchive(await withMessage());
    const ahead = new Date(Date.now() + 365 * 86_400_000);
    const ends = "UPDATE company_archives SET claim_id = 'killed', lease_until = ?, updated_at = ? WHERE id = ?";
    await changeRows(ctx, ends, [ahead, ahead, id]);
    await keepArchives(ctx);
    const mended = await rowOf(id);
    expect(mended).toMatchObject({ state: 'making', claimId: 'killed' });
    expect(Number(mended.leaseUntil)).toBeLessThanOrEqual(Date.now() + 60_000);
    await CompanyArchive.update({ leaseUntil: new Date(Date.now() - 1) }, { where: { id } });
    await keepArchives(ctx, undefined, Date.now() + 10_000);
    expect((await rowOf(id)).state).toBe('ready');
  });

  it('that fails after another one has taken the archive over leaves its files alone', async () => {
    const id = await askForArchive(await withMessage());
    const { run, fail } = await heldRun(id);
    await CompanyArchive.update({ claimId: 'other' }, { where: { id } });
    fail(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    expect(await run).toBe('done');
    expect(await rowOf(id)).toMatchObject({ state: 'making', claimId: 'other', problem: null });
    expect(await filesOf(id)).toEqual([`${id}.sums`, `${id}.unfinished`]);
  });

  it('leaves alone what another one has finished meanwhile', async () => {
    const id = await askForArchive(await withMessage());
    const { run, letGo } = await heldRun(id);
    const { unfinished, finished } = placesOf(id);
    copyFileSync(unfinished, finished);
    await CompanyArchive.update({ claimId: 'other', state: 'ready', makingOf: null }, { where: { id } });
    letGo();
    expect(await run).toBe('done');
    expect(existsSync(finished)).toBe(true);
    await CompanyArchive.update({ state: 'removed' }, { where: { id } });
  });

  it('takes up a file that has its last name, where the one before could not say so', async () => {
    const id = await askForArchive(await withMessage());
    const cursor = async () => (await rowOf(id)).cursorAt as Cursor;
    while ((await cursor()).stage !== 'end') await workOnArchive(ctx, id, { longestMs: 1 });
    const { unfinished, finished, sums } = placesOf(id);
    renameSync(unfinished, finished);
    await rm(sums);
    const { ino } = statSync(finished);
    expect(await workOnArchive(ctx, id)).toBe('done');
    expect(await rowOf(id)).toMatchObject({ state: 'ready', done: 1 });
    expect(statSync(finished).ino).toBe(ino);
    expect(await filesOf(id)).toEqual([`${id}.tar`]);
  });

  it('stops reading the finished file when its process ends, and leaves the archive to the next run', async () => {
    const id = await askForArchive(await withMessage());
    const cursor = async () => (await rowOf(id)).cursorAt as Cursor;
    while ((await cursor()).stage !== 'end') await workOnArchive(ctx, id, { longestMs: 1 });
    const ended = new AbortController();
    vi.spyOn(ArchiveReader.prototype, 'json').mockImplementationOnce(async function (this: ArchiveReader, ...from) {
      ended.abort();
      return await this.json(...from);
    });
    await expect(workOnArchive(ctx, id, { signal: ended.signal })).rejects.toThrow('aborted');
    expect(await rowOf(id)).toMatchObject({ state: 'making', leaseUntil: null });
    await until('the file is closed', async () => !(await openFiles()).includes(placesOf(id).unfinished));
    expect(await workOnArchive(ctx, id)).toBe('done');
    expect((await rowOf(id)).state).toBe('ready');
  });
});
