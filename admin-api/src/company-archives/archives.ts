import { nameOfActor } from '@selvage/core/access/name-of-actor';
import { utcDayAt } from '@selvage/core/utc-day';
import { recordAudit } from '@selvage/core/access/audit';
import { holdsPermission } from '@selvage/core/access/effective-permissions';
import { isOutrankedIn } from '@selvage/core/access/grant';
import { findInScope, readInScope } from '@selvage/core/access/scope';
import { removeFiles } from '@selvage/core/company-archive/archive-file';
import { beginning } from '@selvage/core/company-archive/cursor';
import { estimateArchive, roomForArchives } from '@selvage/core/company-archive/disk-room';
import type { Actor } from '@selvage/core/context/actor';
import { type Ctx, inTransaction, type TxCtx } from '@selvage/core/context/context';
import {
  type ArchiveDto,
  archiveLinkSeconds,
  type linkArchive,
  mostArchives,
} from '@selvage/core/contracts/company-archives';
import type { InferAnswer, InferBody } from '@selvage/core/contracts/endpoint';
import { conflict, forbidden, notFound } from '@selvage/core/errors';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { makeArchive } from '@selvage/core/jobs/make-archive';
import { Company } from '@selvage/core/models/company';
import { CompanyArchive } from '@selvage/core/models/company-archive';
import { Op, type LOCK } from 'sequelize';
import { requireProof } from '../auth/confirmed-session.ts';
import type { SignedIn } from '../http/request-context.ts';
import { signArchiveLink } from './archive-link.ts';
import { presentArchive } from './present-archive.ts';

/** How many archives are listed, failed ones included. */
const shown = 10;

/**
 * The latest archives of a company, except those whose file was removed.
 * @throws 403 `outranked`, 404
 */
export async function findArchives(ctx: SignedIn, companyId: string): Promise<ArchiveDto[]> {
  await readInScope(ctx, Company, companyId);
  await requireWholeCompany(ctx, companyId);
  const archives = await CompanyArchive.findAll({
    where: { companyId, state: ['making', 'ready', 'failed'] },
    order: [['id', 'DESC']],
    limit: shown,
  });
  return archives.map((archive) => presentArchive(ctx.app, archive));
}

/**
 * Requests an archive. While one is being made, that one is answered with its progress.
 * @throws 403 `outranked`, 404, 409 `too_many_archives` or `no_room_for_archive`
 */
export async function askArchive(ctx: SignedIn, companyId: string): Promise<ArchiveDto> {
  await readInScope(ctx, Company, companyId);
  await requireWholeCompany(ctx, companyId);
  const estimate = await estimateArchive(ctx, companyId);
  const room = await roomForArchives(ctx.app);
  return await inTransaction(ctx, async (tx) => {
    // Locked, so that of two calls at once the second finds the archive of the first
    const company = await findInScope(tx, Company, companyId);
    const rows = await CompanyArchive.findAll({
      where: { companyId, state: ['making', 'ready'] },
      transaction: tx.tx,
    });
    const begun = rows.find(({ state }) => state === 'making');
    if (begun) return presentArchive(ctx.app, begun);
    if (rows.length >= mostArchives) throw tooMany();
    if (estimate.bytes > room) throw noRoom();
    const archive = await CompanyArchive.create(
      {
        companyId,
        makingOf: companyId,
        askedBy: ctx.actor.userId,
        askerName: await nameOfActor(tx),
        state: 'making',
        fileName: fileNameOf(company),
        total: estimate.messages,
        cursorAt: beginning,
      },
      { transaction: tx.tx },
    );
    await audit(tx, archive, 'asked');
    await enqueue(tx, makeArchive, { archiveId: String(archive.id) });
    return presentArchive(ctx.app, archive);
  });
}

/**
 * A path that downloads an archive, for a person who enters their password again.
 * @throws 403 `outranked` or `confirm_first`, 404, 409 `archive_not_ready`, 422 `password`, 429
 */
export async function linkToArchive(
  ctx: SignedIn,
  companyId: string,
  { archive_id, password }: InferBody<typeof linkArchive>,
): Promise<InferAnswer<typeof linkArchive>> {
  await readInScope(ctx, Company, companyId);
  await requireWholeCompany(ctx, companyId);
  const archive = await findArchive(companyId, archive_id);
  if (archive.state !== 'ready') throw conflict('This archive is not ready.', 'archive_not_ready');
  const { id, tokenVersion } = await requireProof(ctx, password);
  await audit(ctx, archive, 'link-made');
  const expiresAt = new Date(Date.now() + archiveLinkSeconds * 1000);
  const path = signArchiveLink(ctx.app, { archiveId: String(archive.id), userId: String(id), tokenVersion }, expiresAt);
  return { path, expiresAt: expiresAt.toISOString() };
}

/**
 * Deletes an archive with its file, or stops making one.
 * @throws 403 `outranked`, 404
 */
export async function removeArchive(ctx: SignedIn, companyId: string, archiveId: string): Promise<void> {
  await readInScope(ctx, Company, companyId);
  await requireWholeCompany(ctx, companyId);
  await inTransaction(ctx, async (tx) => {
    const archive = await findArchive(companyId, archiveId, { tx, lock: tx.tx.LOCK.UPDATE });
    await archive.update({ state: 'removed', makingOf: null }, { transaction: tx.tx });
    await audit(tx, archive, 'deleted');
  });
  // A worker that is still writing finds the row changed, and removes its own files
  await removeFiles(ctx.app.config.archives.directory, archiveId);
}

async function findArchive(
  companyId: string,
  id: string,
  options: { tx?: TxCtx; lock?: LOCK } = {},
): Promise<CompanyArchive> {
  const archive = await CompanyArchive.findOne({
    where: { id, companyId, state: { [Op.ne]: 'removed' } },
    ...(options.tx ? { transaction: options.tx.tx } : {}),
    ...(options.lock ? { lock: options.lock } : {}),
  });
  if (!archive) throw notFound('archive');
  return archive;
}

/**
 * Requires the right to read the mail of all people of a company, since an archive contains it. So
 * the caller must be allowed to edit the company, and no person of it may have more rights than the
 * caller, as for a backup of each mailbox (D54).
 * @throws 403 `outranked`
 */
async function requireWholeCompany(ctx: SignedIn, companyId: string): Promise<void> {
  if (await mayHaveWholeCompany(ctx, ctx.actor, companyId)) return;
  const text = 'An archive has the mail of all people of the company. You may not read all of that.';
  throw forbidden(text, 'outranked');
}

/** Whether a person may read the mail of all people of a company. */
export async function mayHaveWholeCompany(
  ctx: Ctx,
  reader: Pick<Actor, 'permissions' | 'roleNumber'>,
  companyId: string,
): Promise<boolean> {
  if (!holdsPermission(reader.permissions, 'company', 'edit')) return false;
  return !(await isOutrankedIn(ctx, reader, companyId));
}

function tooMany() {
  return conflict(`There are ${mostArchives} archives of this company already. Delete one first.`, 'too_many_archives');
}

function noRoom() {
  const text =
    'The disk of this host has no room for an archive of this company. Nothing was begun. The provider can make room.';
  return conflict(text, 'no_room_for_archive');
}

function fileNameOf({ name }: Company): string {
  const word = name
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60);
  return `${word || 'company'}-${utcDayAt(Date.now())}.tar`;
}

async function audit(ctx: Ctx, archive: CompanyArchive, what: 'asked' | 'link-made' | 'deleted'): Promise<void> {
  const { id, companyId, fileName } = archive;
  const record = { entity: 'archive', entityId: String(id), companyId: String(companyId) };
  await recordAudit(ctx, { action: `archive:${what}`, ...record, details: { name: fileName } });
}
