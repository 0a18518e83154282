import { nameOrAddress } from '@selvage/core/contracts/full-name';
import type { UserDetailDto } from '@selvage/core/contracts/users';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation, useNavigate, useParams } from 'react-router-dom';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { RecordStateWord } from '../../components/list/record-state.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { TabbedPage } from '../../components/page/TabbedPage.tsx';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { wayBack } from '../../lib/origin.ts';
import type { FetchAheadContext } from '../../lib/page.ts';
import { usersKey } from '../../lib/record-keys.ts';
import { backupWords } from '../../words/backups.ts';
import { recordWords } from '../../words/records.ts';
import { userWords } from '../../words/users.ts';
import { BackupDialog } from './BackupDialog.tsx';
import { BasicInfo } from './BasicInfo.tsx';
import { EditUserDialog } from './EditUserDialog.tsx';
import { PermissionList } from './PermissionList.tsx';
import { userQuery } from './queries.ts';
import { DeleteUserDialog, EraseUserDialog, useRestoreUser } from './removal-dialogs.tsx';
import { SecurityInfo } from './SecurityInfo.tsx';
import { UserAliases } from './UserAliases.tsx';
import { UserHeader } from './UserHeader.tsx';

const useStyles = makeStyles({ actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS } });

/** Loads the user in parallel with the other requests of a first load. */
export function fetchAhead({ client, params: { id = '' } }: FetchAheadContext): void {
  void client.prefetchQuery(userQuery(id));
}

/** One user, as /dashboard/user/{id}. */
export default function UserPage() {
  const { id = '' } = useParams();
  const { data, error, refetch } = useQuery(userQuery(id));
  if (data) return <User user={data} />;
  return error ? <LoadError error={error} onRetry={() => void refetch()} /> : <PageSpinner />;
}

type Open = 'edit' | 'backup' | 'delete' | 'erase' | null;

function User({ user }: { user: UserDetailDto }) {
  const t = useWords(userWords);
  const navigate = useNavigate();
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  const client = useQueryClient();
  const closeBackup = (): void => {
    close();
    // The page then lists the person who has the backup
    void client.invalidateQueries({ queryKey: usersKey });
  };
  return (
    <>
      <TabbedPage
        title={nameOrAddress(user)}
        aside={<RecordStateWord record={user} />}
        actions={<Actions user={user} onOpen={setOpen} />}
        header={<UserHeader user={user} />}
        parameter="tab"
        tabs={[
          { name: 'basic', label: t.basicInfo },
          { name: 'security', label: t.security },
          { name: 'permission', label: t.permission },
        ]}
      >
        {(tab) => {
          if (tab === 'basic') {
            return (
              <>
                <BasicInfo user={user} />
                <UserAliases user={user} />
              </>
            );
          }
          return tab === 'security' ? <SecurityInfo user={user} /> : <PermissionList user={user} />;
        }}
      </TabbedPage>
      {open === 'edit' && <EditUserDialog user={user} onClose={close} />}
      {open === 'backup' && <BackupDialog user={user} onClose={closeBackup} />}
      {open === 'delete' && <DeleteUserDialog user={user} onClose={close} />}
      {open === 'erase' && (
        <EraseUserDialog user={user} onClose={close} onDone={() => void navigate('/dashboard/user')} />
      )}
    </>
  );
}

function Actions({ user, onOpen }: { user: UserDetailDto; onOpen: (what: Open) => void }) {
  const styles = useStyles();
  const t = useWords(userWords);
  const r = useWords(recordWords);
  const place = useLocation();
  const navigate = useNavigate();
  const restore = useRestoreUser();
  const { give } = useWords(backupWords);
  const caller = useCurrentUser();
  const isSelf = caller?._id === user._id;
  const { abilities } = user;
  return (
    <div className={styles.actions}>
      <Button onClick={() => void navigate(wayBack(place))}>{t.back}</Button>
      {isSelf && <Button onClick={() => void navigate('/dashboard/profile')}>{t.editProfile}</Button>}
      {abilities.edit && <Button onClick={() => onOpen('edit')}>{t.edit}</Button>}
      {abilities.give_backup && <Button onClick={() => onOpen('backup')}>{give}</Button>}
      {abilities.delete && <Button onClick={() => onOpen('delete')}>{t.remove}</Button>}
      {abilities.restore && <Button onClick={() => restore(user)}>{r.restore}</Button>}
      {abilities.erase && <Button onClick={() => onOpen('erase')}>{r.erase}</Button>}
    </div>
  );
}
