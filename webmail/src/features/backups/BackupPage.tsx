import { useParams, useSearchParams } from 'react-router-dom';
import type { FetchAheadContext } from '../../lib/page.ts';
import { BackupMailbox } from './BackupMailbox.tsx';
import { BackupList } from './BackupList.tsx';
import { BackupMessage } from './BackupMessage.tsx';
import { backupEmailQuery } from './queries.ts';

/** Loads the message in parallel with the other requests of a first load. */
export function fetchAhead({ client, params: { id } }: FetchAheadContext): void {
  if (id) void client.prefetchQuery(backupEmailQuery(id));
}

/**
 * The list of backups, the messages of one (`/dashboard/backup/backup_emails?email={email}`), or
 * one message.
 */
export default function BackupPage() {
  const { id } = useParams();
  const [parameters] = useSearchParams();
  const email = parameters.get('email') ?? '';
  const backup = parameters.get('backup') ?? '';
  if (id) return <BackupMessage key={id} id={id} />;
  return email === '' ? <BackupList /> : <BackupMailbox key={`${email} ${backup}`} email={email} id={backup} />;
}
