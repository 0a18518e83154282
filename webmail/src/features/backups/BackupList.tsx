import { type BackupDto, backupList, removeBackup } from '@selvage/core/contracts/mail-backups';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { backupsKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { oneLine } from '../../theme/styles.ts';
import { backupWords } from '../../words/backups.ts';
import { dayAndTime, percent } from './backup-format.ts';
import { mailboxPath } from './queries.ts';

const useStyles = makeStyles({
  stack: { display: 'flex', flexDirection: 'column', minWidth: 0 },
  line: oneLine,
  quiet: {
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightRegular,
    ...oneLine,
  },
});

/** Rows a page to choose from. */
const sizes = [5, 10, 25, 50];
const LOOK_AGAIN_MS = 1500;

/** The backups that the person reads. */
export function BackupList() {
  const t = useWords(backupWords);
  const mayDelete = can(useCurrentUser(), removeBackup);
  const [removing, setRemoving] = useState<BackupDto | null>(null);
  return (
    <>
      <ListScreen
        title={t.title}
        endpoint={backupList}
        queryKey={[...backupsKey, 'list']}
        sizes={sizes}
        searchLabel={t.search}
        columns={columns()}
        keyOf={({ _id }) => _id}
        nameOf={({ backup_email: email }) => email}
        linkOf={mailboxPath}
        actionsOf={(backup) =>
          mayDelete ? [{ label: t.delete, run: () => setRemoving(backup), isDangerous: true }] : []
        }
        empty={{ title: t.none, narrowedTitle: t.noneFound, hint: t.hint }}
      />
      {removing && <DeleteBackupDialog backup={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

function columns() {
  const t = wordsOf(backupWords);
  const created = ({ backup_createdAt: at }: BackupDto): string => dayAndTime(at);
  return [
    {
      id: 'backup_email',
      title: t.email,
      cell: (backup: BackupDto) => <Address backup={backup} />,
      text: ({ backup_email: email }: BackupDto) => email,
    },
    { id: 'backup_createdAt', title: t.createdAt, cell: created, text: created, width: '220px' },
  ];
}

function Address({ backup }: { backup: BackupDto }) {
  const styles = useStyles();
  const t = useWords(backupWords);
  const { name, received, sent, state, copied, total } = backup;
  useLookAgain(state === 'copying');
  const counts = t.counts({ received: received.toLocaleString(), sent: sent.toLocaleString() });
  const progress = state === 'copying' ? [t.beingMade({ percent: percent(copied, total) })] : [];
  return (
    <span className={styles.stack}>
      <span className={styles.line}>{shownAddress(backup.backup_email)}</span>
      <span className={styles.quiet} dir="auto">
        {[name, counts, ...progress].join(' · ')}
      </span>
    </span>
  );
}

/** Shows the progress of a backup while a worker makes it. */
function useLookAgain(isCopying: boolean): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!isCopying) return;
    const timer = setInterval(() => void client.invalidateQueries({ queryKey: backupsKey }), LOOK_AGAIN_MS);
    return () => clearInterval(timer);
  }, [client, isCopying]);
}

function DeleteBackupDialog({ backup, onClose }: { backup: BackupDto; onClose: () => void }) {
  const t = useWords(backupWords);
  const tellChanged = useChanged(backupsKey);
  const remove = async (): Promise<void> => {
    await api(removeBackup, { body: { backup_email: backup.backup_email, backup_id: backup._id } });
    await tellChanged(t.deleted);
  };
  const text = (
    <>
      <p>{t.deleteText}</p>
      <p>{t.deleteMore}</p>
    </>
  );
  return <DeleteDialog title={t.deleteTitle} text={text} onDelete={remove} onClose={onClose} />;
}
