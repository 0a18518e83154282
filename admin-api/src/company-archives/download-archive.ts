import { createReadStream, type Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Router } from '@koa/router';
import { recordAudit } from '@selvage/core/access/audit';
import { holdsPermission } from '@selvage/core/access/effective-permissions';
import { readActor } from '@selvage/core/access/read-actor';
import { pathsOf } from '@selvage/core/company-archive/archive-file';
import type { App } from '@selvage/core/context/app';
import type { Ctx } from '@selvage/core/context/context';
import { archiveLinkSeconds } from '@selvage/core/contracts/company-archives';
import { type AppError, notFound } from '@selvage/core/errors';
import { log } from '@selvage/core/log';
import { CompanyArchive } from '@selvage/core/models/company-archive';
import type { Context, Middleware } from 'koa';
import { hasDuties } from '../auth/first-duties.ts';
import { beginPart } from '../http/byte-range.ts';
import { keepPace } from '../http/limit-sending.ts';
import { contextOf } from '../http/request-context.ts';
import { dispositionOf } from '../mail/download.ts';
import { type OpenedLink, readArchiveLink } from './archive-link.ts';
import { mayHaveWholeCompany } from './archives.ts';

/** Archives of companies under signed paths (D66). */
export function archiveDownloads(app: App): Middleware {
  const router = new Router({ prefix: '/upload' });
  router.get('/archive/:token', async (koa) => {
    const ctx = contextOf(koa);
    const link = readArchiveLink(app, koa.params['token'] ?? '');
    await answerArchive(ctx, koa, await findOpened(ctx, link));
  });
  return router.routes() as Middleware;
}

interface Opened {
  archive: CompanyArchive;
  link: OpenedLink;
}

/**
 * Finds the archive of a link. A link stays valid when the session that made it ends, but not when
 * its maker loses the account or the rights. It also ends when all sessions of its maker end, as
 * with a new password, since an attacker may have made it.
 */
async function findOpened(ctx: Ctx, link: OpenedLink): Promise<Opened> {
  const actor = (await readActor(ctx, link.userId, null))?.actor;
  const archive = await CompanyArchive.findOne({ where: { id: link.archiveId, state: 'ready' } });
  if (!archive || !actor || hasDuties(actor) || actor.tokenVersion !== link.tokenVersion) throw gone();
  const companyId = String(archive.companyId);
  const isTheirs = companyId === actor.companyId || actor.isProvider;
  const mayStill =
    holdsPermission(actor.permissions, 'backup', 'create') && (await mayHaveWholeCompany(ctx, actor, companyId));
  if (!isTheirs || !mayStill) throw gone();
  return { archive, link };
}

async function answerArchive(ctx: Ctx, koa: Context, { archive, link }: Opened): Promise<void> {
  const path = pathsOf(ctx.app.config.archives.directory, String(archive.id)).finished;
  const file = await statIfThere(path);
  if (!file) throw gone();
  const etag = `"${archive.sha256}"`;
  koa.set('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
  koa.set('X-Content-Type-Options', 'nosniff');
  koa.set('Cross-Origin-Resource-Policy', 'same-origin');
  koa.set('Cache-Control', 'private, no-store');
  koa.set('ETag', etag);
  koa.set('Content-Disposition', dispositionOf(archive.fileName));
  const { start, end } = beginPart(koa, file.size, etag);
  // A browser sends HEAD before it saves, to check that the path is still valid
  if (koa.method !== 'HEAD') {
    await noteDownload(ctx, { archive, link });
    koa.body = createReadStream(path, { start, end });
    keepPace(ctx.app, koa);
  }
  koa.set('Content-Type', 'application/x-tar');
  koa.length = end - start + 1;
}

/** The state of a file; null when it does not exist. Other errors of the disk are thrown. */
async function statIfThere(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * Records a download. Browsers fetch a file in any number of ranges, in any order, so only the
 * first request of each link and client address is recorded.
 */
async function noteDownload(ctx: Ctx, { archive, link }: Opened): Promise<void> {
  if (!(await markDownloaded(ctx, link))) return;
  await recordAudit(ctx, {
    action: 'archive:downloaded',
    entity: 'archive',
    entityId: String(archive.id),
    companyId: String(archive.companyId),
    actorId: link.userId,
    details: { name: archive.fileName },
  });
}

/**
 * Marks a link as used by a client address. True for the first mark. Without Redis, each request
 * counts as the first: recording a download twice is better than not at all.
 */
async function markDownloaded({ app, address }: Ctx, { mac }: OpenedLink): Promise<boolean> {
  try {
    const key = `archive-download:${mac}:${address}`;
    return (await app.redis.set(key, '1', 'EX', archiveLinkSeconds, 'NX')) !== null;
  } catch (error) {
    log.warn('whether an archive was downloaded before is not known', { error });
    return true;
  }
}

function gone(): AppError {
  return notFound('file', 'This archive no longer exists.');
}
