import { type BackupEmailDto, getBackupEmail } from '@selvage/core/contracts/mail-backups';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { backupsKey, recordKey } from '../../lib/record-keys.ts';

/** The address of a backup's messages. */
export function mailboxPath({ _id, backup_email: email }: { _id: string; backup_email: string }): string {
  return `/dashboard/backup/backup_emails?${new URLSearchParams({ email, backup: _id }).toString()}`;
}

/**
 * One message of a backup. Its id may equal that of a message in the person's own mailbox, and the
 * screens remember messages by their ids. So the id gets a prefix here.
 */
export const backupEmailQuery = (id: string) =>
  queryOptions<BackupEmailDto>({
    queryKey: recordKey(backupsKey, id),
    queryFn: async ({ signal }) => ({
      ...(await api(getBackupEmail, { params: { id }, signal })),
      _id: `backup-${id}`,
    }),
  });
