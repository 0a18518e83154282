import { nameOfActor } from '@selvage/core/access/name-of-actor';
import { nameOrAddress } from '@selvage/core/contracts/full-name';
import { holdsPermission, permissionsByPerson } from '@selvage/core/access/effective-permissions';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { BackupProgressDto, giveBackup as contract } from '@selvage/core/contracts/mail-backups';
import { readRows } from '@selvage/core/database/run-sql';
import { findAddresses } from '@selvage/core/directory/find-addresses';
import { conflict, notFound } from '@selvage/core/errors';
import { copyMailbox } from '@selvage/core/jobs/copy-mailbox';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { copiedFolders } from '@selvage/core/mailstore/copy-mailbox';
import { bytesOfCompanies } from '@selvage/core/mailstore/storage-use';
import { recordAudit } from '@selvage/core/access/audit';
import { Company } from '@selvage/core/models/company';
import { MailCopy } from '@selvage/core/models/mail-copy';
import { User } from '@selvage/core/models/user';
import { requireConfirmed } from '../auth/confirmed-session.ts';
import type { SignedIn } from '../http/request-context.ts';
import { findGoverned, wrong } from '../users/guard-user.ts';
import { presentProgress } from './present-backup.ts';

type Body = InferBody<typeof contract>;

/**
 * Gives a copy of a person's mail to another person. If that person already has a copy, it adds the
 * mail that is new since. A worker copies the mail. While the worker is copying, another call
 * changes nothing.
 * @throws 404 for a person or an address outside the scope, 403 `confirm_first`, 403 `outranked`
 * for the mail of a person who may do more than the caller, 422 at `backup_user_email`, 409
 * `no_room_for_backup`
 */
export async function giveBackup(ctx: SignedIn, body: Body): Promise<BackupProgressDto> {
  return await inTransaction(ctx, async (tx) => {
    // Locks the owner's row, so that two calls at once run one after the other
    const { user: owner } = await findGoverned(tx, body.user_id);
    const viewer = await findViewer(tx, owner, body.backup_user_email);
    await requireConfirmed({ ...ctx, tx: tx.tx });
    const copy = await copyOf(tx, { owner, viewer, giverName: await nameOfActor(tx) });
    const held = (await permissionsByPerson(tx, [viewer])).get(String(viewer.id)) ?? [];
    const entries = held.map(({ entry }) => entry);
    return presentProgress(copy, holdsPermission(entries, 'backup', 'view'));
  });
}

/**
 * The person with this mailbox or alias. They must belong to the owner's company or to the
 * provider. For any other person, the caller is told that there is no such person.
 */
async function findViewer(tx: TxCtx, owner: User, text: string): Promise<User> {
  const address = normaliseAddress(text) ?? text;
  const [row] = await findAddresses(tx, [{ address, plain: address }]);
  const found = row?.userId ? await User.findByPk(row.userId, { transaction: tx.tx, lock: tx.tx.LOCK.SHARE }) : null;
  const company = found && (await Company.findByPk(found.companyId, { transaction: tx.tx }));
  const isWithin = String(found?.companyId) === String(owner.companyId) || company?.isProvider === true;
  if (!found || !company || !isWithin || found.deletedAt || company.deletedAt) {
    throw notFound('reader', 'No person of this company or of the provider has this address.');
  }
  if (String(found.id) === String(owner.id)) throw wrong('backup_user_email', 'Choose another person than the owner.');
  if (!found.activeStatus) throw wrong('backup_user_email', 'This person is switched off.');
  return found;
}

interface Gift {
  owner: User;
  viewer: User;
  giverName: string;
}

async function copyOf(tx: TxCtx, { owner, viewer, giverName }: Gift): Promise<MailCopy> {
  const where = { ownerId: String(owner.id), viewerId: String(viewer.id), deletedAt: null };
  const known = await MailCopy.findOne({ where, transaction: tx.tx, lock: tx.tx.LOCK.UPDATE });
  if (known?.state === 'copying') return known;
  const { messages, bytes } = await sizeOf(tx, owner);
  await requireRoom(tx, owner, bytes - Number(known?.bytes ?? 0));
  const start = { state: 'copying' as const, total: messages, copied: 0 };
  const copy = known
    ? await known.update({ ...start, total: await countNew(tx, owner, known) }, { transaction: tx.tx })
    : await MailCopy.create(
        {
          ...start,
          companyId: String(owner.companyId),
          ownerId: String(owner.id),
          ownerEmail: owner.email,
          ownerName: nameOrAddress(owner),
          viewerId: String(viewer.id),
          viewerEmail: viewer.email,
          viewerName: nameOrAddress(viewer),
          giverName,
          cursors: {},
        },
        { transaction: tx.tx },
      );
  await recordAudit(tx, {
    action: known ? 'mail-backup:renewed' : 'mail-backup:given',
    entity: 'user',
    entityId: String(owner.id),
    companyId: String(owner.companyId),
    details: { email: owner.email, viewer: viewer.email },
  });
  await enqueue(tx, copyMailbox, { copyId: String(copy.id) });
  return copy;
}

/** How much mail a mailbox has to copy, from the counters of its folders. */
async function sizeOf(tx: TxCtx, { id }: User): Promise<{ messages: number; bytes: number }> {
  const [row] = await readRows<{ messages: string | null; bytes: string | null }>(
    tx,
    'SELECT SUM(total) AS messages, SUM(bytes) AS bytes FROM folders WHERE user_id = ? AND (role IS NULL OR role IN (?))',
    [String(id), copiedFolders],
  );
  return { messages: Number(row?.messages ?? 0), bytes: Number(row?.bytes ?? 0) };
}

/**
 * How many messages are new since the last copy. This is only for the progress: it also counts
 * messages that were moved out or deleted since.
 */
async function countNew(tx: TxCtx, { id }: User, { cursors }: MailCopy): Promise<number> {
  const folders = await readRows<{ id: string; total: number; uidNext: number }>(
    tx,
    'SELECT id, total, uid_next AS uidNext FROM folders WHERE user_id = ? AND (role IS NULL OR role IN (?))',
    [String(id), copiedFolders],
  );
  return folders.reduce((sum, { id: folderId, total, uidNext }) => {
    return sum + Math.min(total, uidNext - 1 - (cursors[String(folderId)] ?? 0));
  }, 0);
}

/**
 * Refuses a backup that the storage of the owner's company has no room for. Otherwise the company's
 * mail would be rejected because of the backup. With a limit, the company's row is locked, so that
 * two backups at once count each other.
 */
async function requireRoom(tx: TxCtx, owner: User, bytes: number): Promise<void> {
  const companyId = String(owner.companyId);
  const options = { transaction: tx.tx, attributes: ['storageLimit'] };
  const hasLimit = Boolean((await Company.findByPk(companyId, options))?.storageLimit);
  if (!hasLimit || bytes <= 0) return;
  const company = await Company.findByPk(companyId, { ...options, lock: tx.tx.LOCK.UPDATE });
  // In this order, what a worker copies meanwhile is counted twice instead of not at all
  const coming = await bytesToCopy(tx, companyId);
  const used = (await bytesOfCompanies(tx, [companyId])).get(companyId) ?? 0;
  if (!company?.storageLimit || used + coming + bytes <= Number(company.storageLimit)) return;
  throw conflict(
    "The company's storage has no room for a copy of this mailbox. Nothing was copied. The provider can raise the limit.",
    'no_room_for_backup',
  );
}

/** How many bytes the running copies of a company still have to copy. */
async function bytesToCopy(tx: TxCtx, companyId: string): Promise<number> {
  const running = await readRows<{ copied: string; held: string }>(
    tx,
    `SELECT c.bytes AS copied, SUM(f.bytes) AS held
       FROM mail_copies c JOIN folders f ON f.user_id = c.owner_id AND (f.role IS NULL OR f.role IN (?))
      WHERE c.company_id = ? AND c.state = 'copying' GROUP BY c.id`,
    [copiedFolders, companyId],
  );
  return running.reduce((sum, { copied, held }) => sum + Math.max(0, Number(held) - Number(copied)), 0);
}
