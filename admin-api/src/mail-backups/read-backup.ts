import { periodOfDay, utcDayAt } from '@selvage/core/utc-day';
import { recordAudit } from '@selvage/core/access/audit';
import { inTransaction } from '@selvage/core/context/context';
import type { InferQuery } from '@selvage/core/contracts/endpoint';
import type { BackupEmailDto, BackupEmailRowDto, listBackups } from '@selvage/core/contracts/mail-backups';
import { changeRows } from '@selvage/core/database/run-sql';
import { notFound } from '@selvage/core/errors';
import { copiedRef, readCopied } from '@selvage/core/mailstore/find-copied';
import { listCopied } from '@selvage/core/mailstore/list-copied';
import { readEntryAlone } from '@selvage/core/mailstore/read-entry';
import { MailCopy } from '@selvage/core/models/mail-copy';
import type { Context } from 'koa';
import { bytesOf, largestOf, showConversation } from '../mail/body-html.ts';
import { holdAnswerOfCall } from '../http/hold-answer.ts';
import { readMessages } from '../mail/message-readers.ts';
import { presentEmail, presentRow } from '../mail/presenter.ts';
import { findFailedChecks } from '../mail/warnings.ts';
import type { Page } from '../http/paging.ts';
import type { SignedIn } from '../http/request-context.ts';
import { findBackup } from './find-backups.ts';

type Query = InferQuery<typeof listBackups>;

/**
 * One page of the received or sent messages of a backup that the caller reads.
 * @throws 404
 */
export async function openMailbox(
  ctx: SignedIn,
  query: Query & { user_email: string },
): Promise<Page<BackupEmailRowDto[]>> {
  const copy = await findBackup(ctx, { email: query.user_email, id: query.backup_id });
  await noteOpening(ctx, copy);
  const { page, limit, search } = query;
  const viewerId = ctx.actor.userId;
  const { rows, total } = await listCopied(ctx, { viewerId, copy, isSent: asksForSent(query), search, page, limit });
  return {
    rows: rows.map((item) => {
      const { thread: _thread, delivery_state: _state, ...row } = presentRow(item);
      return { ...row, _id: plainId(row._id), updatedAt: row.createdAt };
    }),
    total,
  };
}

function asksForSent({ status, send_status }: Query): boolean {
  return send_status === true || status === 'send' || status === 'send_status=true';
}

/** The id of a message of a backup as calls use it: without the prefix of copied entries. */
const plainId = (ref: string): string => ref.replace(copiedRef(''), '');

/**
 * A whole message of a backup. It can't be changed. Nothing may tell its sender that it was read,
 * so the reader can neither unsubscribe nor answer invitations.
 * @throws 404
 */
export async function openMessage(ctx: SignedIn, koa: Context, id: string): Promise<BackupEmailDto> {
  const viewerId = ctx.actor.userId;
  const [found] = await readCopied(ctx, viewerId, [id]);
  const copy = found && (await MailCopy.findByPk(found.copyId));
  if (!found || !copy) throw notFound('message');
  await noteOpening(ctx, copy);
  const alone = await readEntryAlone(ctx, { userId: viewerId, entryId: copiedRef(id) });
  const item = { ...alone, conversation: [], twins: [], earlier: 0, deliveries: [], deliveredTo: null, remindAt: null };
  const shown = await readMessages(ctx.app, { userId: viewerId, bytes: largestOf([item]) }, () =>
    showConversation(ctx, item),
  );
  const failed = await findFailedChecks(ctx, [item]);
  const judged = { trusted: new Set<string>(), failed, doubts: new Map(), warnings: [], invitation: null };
  await holdAnswerOfCall(ctx.app, koa, { userId: viewerId, bytes: bytesOf(shown) });
  const email = presentEmail(ctx, item, shown, judged);
  return {
    ...email,
    _id: id,
    list_post: null,
    unsubscribe: null,
    always_shows_images: false,
    may_always_show_images: false,
    backup_id: String(copy.id),
    backup_email: copy.ownerEmail,
    updatedAt: email.createdAt,
  };
}

/** Records an audit event once a day (UTC) for each backup (D32). */
async function noteOpening(ctx: SignedIn, copy: MailCopy): Promise<void> {
  const now = new Date();
  const today = periodOfDay(utcDayAt(now.getTime())).from;
  if (copy.openedAt !== null && copy.openedAt >= today) return;
  await inTransaction(ctx, async (tx) => {
    const isFirst = await changeRows(
      tx,
      'UPDATE mail_copies SET opened_at = ? WHERE id = ? AND (opened_at IS NULL OR opened_at < ?)',
      [now, String(copy.id), today],
    );
    if (isFirst === 0) return;
    await recordAudit(tx, {
      action: 'mail-backup:opened',
      entity: 'user',
      ...(copy.ownerId === null ? {} : { entityId: String(copy.ownerId) }),
      companyId: String(copy.companyId),
      details: { email: copy.ownerEmail, viewer: copy.viewerEmail },
    });
  });
}
