import type { BackupDto, BackupProgressDto, BackupReaderDto } from '@selvage/core/contracts/mail-backups';
import type { MailCopy } from '@selvage/core/models/mail-copy';

/**
 * How far a copy is. A finished copy counts as complete, even if its count is lower than its total.
 */
function progressOf({ state, copied, total }: MailCopy): Pick<BackupDto, 'state' | 'copied' | 'total'> {
  const isCopying = state === 'copying';
  return { state: isCopying ? 'copying' : 'ready', copied: isCopying ? Math.min(copied, total) : total, total };
}

export function presentProgress(copy: MailCopy, canBeOpened: boolean): BackupProgressDto {
  return {
    _id: String(copy.id),
    backup_email: copy.ownerEmail,
    backup_user_email: copy.viewerEmail,
    can_be_opened: canBeOpened,
    ...progressOf(copy),
  };
}

export function presentBackup(copy: MailCopy): BackupDto {
  return {
    _id: String(copy.id),
    backup_email: copy.ownerEmail,
    name: copy.ownerName,
    backup_createdAt: copy.createdAt.toISOString(),
    updatedAt: copy.finishedAt?.toISOString() ?? null,
    received: copy.receivedCount,
    sent: copy.sentCount,
    deletedAt: copy.deletedAt?.toISOString() ?? null,
    ...progressOf(copy),
  };
}

export function presentReader(copy: MailCopy): BackupReaderDto {
  return {
    _id: String(copy.id),
    name: copy.viewerName,
    email: copy.viewerEmail,
    given_by: copy.giverName,
    createdAt: copy.createdAt.toISOString(),
    openedAt: copy.openedAt?.toISOString() ?? null,
    deletedAt: copy.deletedAt?.toISOString() ?? null,
  };
}
