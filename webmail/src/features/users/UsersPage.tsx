import { nameOrAddress } from '@selvage/core/contracts/full-name';
import { usersKey } from '../../lib/record-keys.ts';
import { changeManyUsers, importUsers } from '@selvage/core/contracts/many-users';
import { getPermissions } from '@selvage/core/contracts/permission-matrix';
import { createUser, listUsers, type UserDto } from '@selvage/core/contracts/users';
import { Button } from '@fluentui/react-components';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import type { RowAction } from '../../components/list/columns.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { recordActionsOf, stateFilter } from '../../components/list/record-state.tsx';
import type { Selection } from '../../hooks/use-selection.ts';
import { can } from '../../lib/can.ts';
import { companyFilters } from '../../components/list/company-parts.tsx';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { fromHere } from '../../lib/origin.ts';
import { backupWords } from '../../words/backups.ts';
import { manyUserWords } from '../../words/many-users.ts';
import { userWords } from '../../words/users.ts';
import { BackupDialog } from './BackupDialog.tsx';
import { EditUserDialog } from './EditUserDialog.tsx';
import { ImportDialog } from './ImportDialog.tsx';
import { NewUserDialog } from './NewUserDialog.tsx';
import { DeleteUserDialog, EraseUserDialog, useRestoreUser } from './removal-dialogs.tsx';
import { roleFilter } from './role-filter.tsx';
import { SelectionActions } from './SelectionActions.tsx';
import { exportedUserColumns, userColumns } from './user-columns.tsx';

/** Rows a page to choose from. */
const sizes = [2, 5, 10, 20, 40];

type Open = { kind: 'add' | 'import' } | { kind: 'edit' | 'backup' | 'delete' | 'erase'; user: UserDto } | null;

const renderSelection = (selection: Selection<UserDto>) => <SelectionActions selection={selection} />;

/** The users: found, added, changed, deleted and restored. */
export default function UsersPage() {
  const t = useWords(userWords);
  const wordsOfMany = useWords(manyUserWords);
  const caller = useCurrentUser();
  const [open, setOpen] = useState<Open>(null);
  const actionsOf = useRowActions(setOpen);
  const close = (): void => setOpen(null);
  const columns = userColumns(caller);
  const importButton = can(caller, importUsers) && (
    <Button onClick={() => setOpen({ kind: 'import' })}>{wordsOfMany.import}</Button>
  );
  return (
    <>
      <ListScreen
        title={t.title}
        endpoint={listUsers}
        queryKey={[...usersKey, 'list']}
        sizes={sizes}
        searchLabel={t.search}
        filters={[...companyFilters(caller, t.company), roleFilter(caller), stateFilter()]}
        isNumbered
        exportName="users"
        columns={columns}
        exportedColumns={exportedUserColumns(columns)}
        keyOf={({ _id }) => _id}
        nameOf={nameOrAddress}
        linkOf={({ _id }) => `/dashboard/user/${_id}`}
        actionsOf={actionsOf}
        add={{ call: createUser, label: t.addButton, run: () => setOpen({ kind: 'add' }) }}
        actions={importButton}
        {...(can(caller, changeManyUsers) ? { renderSelection } : {})}
        empty={{ title: t.none, narrowedTitle: t.noneFound, hint: t.hint }}
      />
      {open?.kind === 'add' && <NewUserDialog onClose={close} />}
      {open?.kind === 'import' && <ImportDialog onClose={close} />}
      {open?.kind === 'edit' && <EditUserDialog user={open.user} onClose={close} />}
      {open?.kind === 'backup' && <BackupDialog user={open.user} onClose={close} />}
      {open?.kind === 'delete' && <DeleteUserDialog user={open.user} onClose={close} />}
      {open?.kind === 'erase' && <EraseUserDialog user={open.user} onClose={close} />}
    </>
  );
}

/** The menu of a row: what the caller may do with the user. */
function useRowActions(setOpen: (open: Open) => void): (user: UserDto) => RowAction[] {
  const t = useWords(userWords);
  const caller = useCurrentUser();
  const navigate = useNavigate();
  const place = useLocation();
  const restore = useRestoreUser();
  const { give } = useWords(backupWords);
  return (user) => {
    const backup = user.abilities.give_backup ? [{ label: give, run: () => setOpen({ kind: 'backup', user }) }] : [];
    if (user._id === caller?._id) {
      return [{ label: t.editProfile, run: () => void navigate('/dashboard/profile') }, ...backup];
    }
    const mayPermit = user.deletedAt === null && can(caller, getPermissions);
    const permissions = {
      label: t.permissions,
      run: () => void navigate(`/dashboard/user/permission/${user._id}`, { state: fromHere(place) }),
    };
    const usual = {
      edit: () => setOpen({ kind: 'edit', user }),
      delete: () => setOpen({ kind: 'delete', user }),
      erase: () => setOpen({ kind: 'erase', user }),
      restore,
    };
    return recordActionsOf(user, usual, [mayPermit && permissions, ...backup]);
  };
}
