import { dayMs, hourMs } from '../utc-day.ts';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Op } from 'sequelize';
import type { Ctx } from '../context/context.ts';
import { log } from '../log.ts';
import { type ArchiveState, CompanyArchive } from '../models/company-archive.ts';
import { listDirectory, pathsOf, removeFiles } from './archive-file.ts';
import type { Cursor } from './cursor.ts';
import { leaseMs, workOnArchive } from './make-archive.ts';
import { workThrough } from '../sweeps/work-through.ts';

const atOnce = 20;
/** How long one pass works on an archive whose job was lost. */
const passMs = 10_000;

/**
 * Continues archives that no run works on. Removes archives whose time is over, and files of
 * archives that no longer exist.
 * @returns how many archives were continued, and how many archives and files were removed
 */
export async function keepArchives(
  ctx: Ctx,
  signal?: AbortSignal,
  now = Date.now(),
): Promise<{ continued: number; removed: number }> {
  await mendTimes(now);
  const removed = (await removeExpired(ctx, signal, now)) + (await removeRubbish(ctx, signal));
  const left = await CompanyArchive.findAll({
    attributes: ['id'],
    where: {
      state: 'making',
      updatedAt: { [Op.lt]: new Date(now - 5000) },
      [Op.or]: [{ leaseUntil: null }, { leaseUntil: { [Op.lt]: new Date(now) } }],
    },
    order: [['updatedAt', 'ASC']],
    limit: atOnce,
  });
  const goOn = async (id: string): Promise<boolean> => {
    await workOnArchive(ctx, id, { longestMs: passMs, signal });
    return true;
  };
  const failure = 'an archive of a company could not be gone on with';
  return { continued: await workThrough(idsOf(left), goOn, { failure, signal }), removed };
}

/**
 * Cuts leases that a clock which was ahead has made too long. A run that is alive renews its lease
 * in time.
 */
async function mendTimes(now: number): Promise<void> {
  const furthest = { [Op.gt]: new Date(now + hourMs) };
  await CompanyArchive.update(
    { leaseUntil: new Date(now + leaseMs) },
    { where: { state: 'making', [Op.or]: [{ leaseUntil: furthest }, { updatedAt: furthest }] } },
  );
}

const idsOf = (archives: readonly CompanyArchive[]): string[] => archives.map(({ id }) => String(id));

async function removeExpired(ctx: Ctx, signal: AbortSignal | undefined, now: number): Promise<number> {
  const { days, directory } = ctx.app.config.archives;
  const over: ArchiveState[] = ['ready', 'failed'];
  const old = await CompanyArchive.findAll({
    attributes: ['id'],
    where: { state: over, finishedAt: { [Op.lt]: new Date(now - days * dayMs) } },
    limit: atOnce,
  });
  const remove = async (id: string): Promise<boolean> => {
    await CompanyArchive.update({ state: 'removed' }, { where: { id, state: over } });
    await removeFiles(directory, id);
    return true;
  };
  return await workThrough(idsOf(old), remove, { failure: 'an old archive could not be removed', signal });
}

/**
 * Removes files that no row needs, such as those of an erased company, and notes which rows have
 * lost their file. Does nothing while the directory can't be read. A row loses its file only in the
 * directory that the file was written to: when a disk is not mounted, its files still exist.
 */
async function removeRubbish(ctx: Ctx, signal: AbortSignal | undefined): Promise<number> {
  const { directory } = ctx.app.config.archives;
  // Read before the files are listed: each of these archives has its file by then
  const ready = await CompanyArchive.findAll({ attributes: ['id', 'cursorAt'], where: { state: 'ready' } });
  const listed = await listDirectory(directory).catch((error: unknown) => {
    const isExpected = (error as NodeJS.ErrnoException).code === 'ENOENT' && ready.length === 0;
    if (!isExpected) log.warn('the directory of archives can not be read, so none is removed', { directory, error });
    return null;
  });
  if (listed === null) return 0;
  const { names, place } = listed;
  const remove = async (name: string): Promise<boolean> => {
    const [, id, kind] = /^(\d{1,20})\.(tar|unfinished|sums)$/.exec(name) ?? [];
    if (id === undefined) return false;
    const row = await CompanyArchive.findByPk(id, { attributes: ['state'] });
    // A file gets its last name just before its row becomes `ready`
    const isNeeded = row?.state === 'making' || (row?.state === 'ready' && kind === 'tar');
    if (!isNeeded) await rm(join(directory, name), { force: true });
    return !isNeeded;
  };
  const failure = 'a file that no archive needs could not be removed';
  const removed = await workThrough(names, remove, { failure, signal });
  for (const { id, cursorAt } of ready) {
    const isHere = place !== null && (cursorAt as Cursor).place === place;
    const file = pathsOf('', String(id)).finished;
    if (!isHere || names.includes(file)) continue;
    await CompanyArchive.update({ state: 'removed' }, { where: { id, state: 'ready' } });
    log.warn('an archive of a company lost its file', { archiveId: String(id) });
  }
  return removed;
}
