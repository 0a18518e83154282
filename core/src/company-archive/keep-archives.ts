import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Op } from 'sequelize';
import type { Ctx } from '../context/context.ts';
import { type ArchiveState, CompanyArchive } from '../models/company-archive.ts';
import { pathsOf, removeFiles } from './archive-file.ts';
import { workOnArchive } from './make-archive.ts';

const dayMs = 86_400_000;
const atOnce = 20;
/** How long one pass works on an archive whose job was lost. */
const passMs = 10_000;

/**
 * Goes on with archives that no run is at work on, removes those whose time is over, and files of
 * archives that are gone.
 * @returns how many were gone on with, and how many files were removed
 */
export async function keepArchives(
  ctx: Ctx,
  signal?: AbortSignal,
  now = Date.now(),
): Promise<{ continued: number; removed: number }> {
  const removed = (await removeExpired(ctx, now)) + (await removeRubbish(ctx));
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
  for (const { id } of left) await workOnArchive(ctx, String(id), { longestMs: passMs, signal });
  return { continued: left.length, removed };
}

async function removeExpired(ctx: Ctx, now: number): Promise<number> {
  const { days, directory } = ctx.app.config.archives;
  const over: ArchiveState[] = ['ready', 'failed'];
  const old = await CompanyArchive.findAll({
    attributes: ['id'],
    where: { state: over, finishedAt: { [Op.lt]: new Date(now - days * dayMs) } },
    limit: atOnce,
  });
  for (const { id } of old) {
    await CompanyArchive.update({ state: 'removed' }, { where: { id, state: over } });
    await removeFiles(directory, String(id));
  }
  return old.length;
}

/**
 * Files without a row that needs them, as an erased company leaves; and rows without their file.
 */
async function removeRubbish(ctx: Ctx): Promise<number> {
  const { directory } = ctx.app.config.archives;
  // Before the files are listed: an archive that is finished meanwhile has its file by then
  const ready = await CompanyArchive.findAll({ attributes: ['id'], where: { state: 'ready' } });
  const names: string[] = await readdir(directory).catch(() => []);
  let removed = 0;
  for (const name of names) {
    const [, id, kind] = /^(\d{1,20})\.(tar|unfinished|sums)$/.exec(name) ?? [];
    if (id === undefined) continue;
    const row = await CompanyArchive.findByPk(id, { attributes: ['state'] });
    // A file gets its last name just before its row says so
    const isNeeded = row?.state === 'making' || (row?.state === 'ready' && kind === 'tar');
    if (isNeeded) continue;
    await rm(join(directory, name), { force: true });
    removed += 1;
  }
  for (const { id } of ready) {
    const file = pathsOf('', String(id)).finished;
    if (!names.includes(file)) await CompanyArchive.update({ state: 'removed' }, { where: { id, state: 'ready' } });
  }
  return removed;
}
