import { recordAudit } from '@selvage/core/access/audit';
import { holdsPermission, permissionsByPerson } from '@selvage/core/access/effective-permissions';
import { inScope } from '@selvage/core/access/scope';
import { inTransaction } from '@selvage/core/context/context';
import type { InferBody, InferQuery } from '@selvage/core/contracts/endpoint';
import {
  type BackupDto,
  type BackupProgressDto,
  type BackupReaderDto,
  type listBackups,
  maxBackupReaders,
  type removeBackup as removal,
} from '@selvage/core/contracts/mail-backups';
import { notFound } from '@selvage/core/errors';
import { copyMailbox } from '@selvage/core/jobs/copy-mailbox';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { MailCopy } from '@selvage/core/models/mail-copy';
import { User } from '@selvage/core/models/user';
import { type LOCK, Op } from 'sequelize';
import { findPage } from '../http/find-page.ts';
import type { Page } from '../http/paging.ts';
import type { SignedIn } from '../http/request-context.ts';
import { presentBackup, presentProgress, presentReader } from './present-backup.ts';

/** One page of the backups that the caller reads. */
export async function findBackups(ctx: SignedIn, query: InferQuery<typeof listBackups>): Promise<Page<BackupDto[]>> {
  const { rows, total } = await findPage(ctx, MailCopy, {
    query,
    sortColumns: { backup_email: 'ownerEmail', backup_createdAt: 'createdAt' },
    searchColumns: ['ownerEmail', 'ownerName'],
    where: { viewerId: ctx.actor.userId, deletedAt: null },
  });
  return { rows: rows.map(presentBackup), total };
}

/** How a call names a backup. */
export interface BackupName {
  email: string;
  id: string | undefined;
}

/**
 * A backup that the caller may read: the newest of this address, unless the call gives its id. The
 * scope is checked on each call, so a person who has moved to another company can't read backups of
 * the old one.
 * @throws 404
 */
export async function findBackup(ctx: SignedIn, { email, id }: BackupName, lock?: LOCK): Promise<MailCopy> {
  const own = { viewerId: ctx.actor.userId, deletedAt: null, ownerEmail: email, ...(id ? { id } : {}) };
  const copy = await MailCopy.findOne({
    where: { [Op.and]: [inScope(ctx, MailCopy), own] },
    order: [['id', 'DESC']],
    transaction: ctx.tx,
    ...(lock ? { lock } : {}),
  });
  if (!copy) throw notFound('backup');
  return copy;
}

/** @throws 404 for a backup of another tenant, or one that is deleted */
export async function findProgress(ctx: SignedIn, id: string): Promise<BackupProgressDto> {
  const copy = await MailCopy.findOne({ where: { [Op.and]: [inScope(ctx, MailCopy), { id, deletedAt: null }] } });
  const viewer = copy?.viewerId && (await User.findByPk(copy.viewerId));
  if (!copy || !viewer) throw notFound('backup');
  const held = (await permissionsByPerson(ctx, [viewer])).get(String(viewer.id)) ?? [];
  return presentProgress(
    copy,
    holdsPermission(
      held.map(({ entry }) => entry),
      'backup',
      'view',
    ),
  );
}

/**
 * Deletes a backup that the caller reads. From then on it can't be read. A worker removes its rows,
 * and the mail that no other person has.
 * @throws 404
 */
export async function removeBackup(ctx: SignedIn, body: InferBody<typeof removal>): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const name = { email: body.backup_email, id: body.backup_id };
    const copy = await findBackup({ ...ctx, tx: tx.tx }, name, tx.tx.LOCK.UPDATE);
    await copy.update({ state: 'removing', deletedAt: new Date() }, { transaction: tx.tx });
    await recordAudit(tx, {
      action: 'mail-backup:removed',
      entity: 'user',
      ...(copy.ownerId === null ? {} : { entityId: String(copy.ownerId) }),
      companyId: String(copy.companyId),
      details: { email: copy.ownerEmail, viewer: copy.viewerEmail },
    });
    await enqueue(tx, copyMailbox, { copyId: String(copy.id) });
  });
}

/**
 * The people who read or could read copies of the caller's mail (D32), including those whose copy
 * was deleted.
 */
export async function findReaders(ctx: SignedIn): Promise<BackupReaderDto[]> {
  const copies = await MailCopy.findAll({
    where: { ownerId: ctx.actor.userId },
    order: [['id', 'DESC']],
    limit: maxBackupReaders,
  });
  return copies.map(presentReader);
}

interface BackupsOfUser {
  /** Backups that the person may read. */
  read: MailCopy[];
  /** Backups of the person's mail. */
  given: MailCopy[];
}

/** The backups that a person may read and those of their mail, the latest first. */
export async function backupsOfUser(ctx: SignedIn, userId: string): Promise<BackupsOfUser> {
  const find = async (where: { viewerId: string } | { ownerId: string }): Promise<MailCopy[]> =>
    await MailCopy.findAll({
      where: { [Op.and]: [inScope(ctx, MailCopy), { ...where, deletedAt: null }] },
      order: [['id', 'DESC']],
      limit: maxBackupReaders,
      transaction: ctx.tx,
    });
  const [read, given] = await Promise.all([find({ viewerId: userId }), find({ ownerId: userId })]);
  return { read, given };
}
