import { getPermissions } from '@selvage/core/contracts/permission-matrix';
import { createRole, listRoles, type RoleDto, updateRole } from '@selvage/core/contracts/roles';
import { useState } from 'react';
import { useLocation, useNavigate } from 'react-router-dom';
import { CompanyName } from '../../components/CompanyName.tsx';
import type { Column, RowAction } from '../../components/list/columns.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { recordActionsOf, RecordStateWord, stateFilter, stateInWords } from '../../components/list/record-state.tsx';
import { can } from '../../lib/can.ts';
import { companyFilters } from '../../components/list/company-parts.tsx';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { fromHere } from '../../lib/origin.ts';
import { rolesKey } from '../../lib/record-keys.ts';
import { recordWords } from '../../words/records.ts';
import { roleWords } from '../../words/roles.ts';
import { DeleteRoleDialog, EraseRoleDialog, useRestoreRole } from './removal-dialogs.tsx';
import { AddRoleDialog, EditRoleDialog } from './role-dialogs.tsx';
import { permittedModels } from './permitted-models.ts';
import { PermissionNames, RoleName, TwoFactorNeed } from './RoleCells.tsx';
import { TwoFactorRuleDialog } from './TwoFactorRuleDialog.tsx';

const sizes = [5, 10, 25, 50];

function columns(): Column<RoleDto>[] {
  const t = wordsOf(roleWords);
  return [
    {
      id: 'role_name',
      title: t.role,
      cell: (role) => (
        <>
          <RoleName role={role} />
          <TwoFactorNeed role={role} />
        </>
      ),
      text: ({ role_name: name }) => name,
    },
    {
      id: 'company',
      title: t.company,
      cell: ({ company_id: company }) => <CompanyName company={company} />,
      text: ({ company_id: company }) => company.name,
    },
    {
      id: 'role_id',
      title: t.number,
      cell: ({ role_id: number }) => number,
      text: ({ role_id: number }) => String(number),
      width: '90px',
    },
    {
      id: 'permissions',
      title: t.permissions,
      cell: ({ permissions }) => <PermissionNames permissions={permissions} />,
      text: ({ permissions }) => permittedModels(permissions).join(', '),
      width: '32%',
    },
    {
      id: 'status',
      title: wordsOf(recordWords).status,
      cell: (role) => <RecordStateWord record={role} />,
      text: stateInWords,
      width: '110px',
    },
  ];
}

const pathOf = ({ _id }: RoleDto): string => `/dashboard/role/permission/${_id}`;

type Open = { kind: 'add' } | { kind: 'edit' | 'two-factor' | 'delete' | 'erase'; role: RoleDto } | null;

/**
 * The roles: found, added, changed, deleted and restored, with the way to what each of them may do.
 */
export default function RolesPage() {
  const t = useWords(roleWords);
  const user = useCurrentUser();
  const [open, setOpen] = useState<Open>(null);
  const actionsOf = useRowActions(setOpen);
  const mayOpen = can(user, updateRole) && can(user, getPermissions);
  const close = (): void => setOpen(null);
  return (
    <>
      <ListScreen
        title={t.title}
        endpoint={listRoles}
        queryKey={[...rolesKey, 'list']}
        sizes={sizes}
        isNumbered
        searchLabel={t.search}
        filters={[...companyFilters(user, t.company), stateFilter()]}
        columns={columns()}
        keyOf={({ _id }) => _id}
        nameOf={({ role_name: name }) => name}
        linkOf={(role) => (mayOpen ? pathOf(role) : null)}
        actionsOf={(role) => actionsOf(role, mayOpen)}
        add={{ call: createRole, label: t.addButton, run: () => setOpen({ kind: 'add' }) }}
        exportName="roles"
        empty={{ title: t.none, narrowedTitle: t.noneFound, hint: t.hint }}
      />
      {open?.kind === 'add' && <AddRoleDialog onClose={close} />}
      {open?.kind === 'edit' && <EditRoleDialog role={open.role} onClose={close} />}
      {open?.kind === 'two-factor' && <TwoFactorRuleDialog role={open.role} onClose={close} />}
      {open?.kind === 'delete' && <DeleteRoleDialog role={open.role} onClose={close} />}
      {open?.kind === 'erase' && <EraseRoleDialog role={open.role} onClose={close} />}
    </>
  );
}

/** The menu of a row: the way to the permissions, then what the server lets the person do. */
function useRowActions(setOpen: (open: Open) => void) {
  const t = useWords(roleWords);
  const navigate = useNavigate();
  const place = useLocation();
  const restore = useRestoreRole();
  return (role: RoleDto, mayOpen: boolean): RowAction[] => {
    const toMatrix = { label: t.permissions, run: () => void navigate(pathOf(role), { state: fromHere(place) }) };
    const toRule = { label: t.twoFactor, run: () => setOpen({ kind: 'two-factor', role }) };
    const usual = {
      edit: () => setOpen({ kind: 'edit', role }),
      delete: () => setOpen({ kind: 'delete', role }),
      erase: () => setOpen({ kind: 'erase', role }),
      restore,
    };
    return recordActionsOf(role, usual, [mayOpen && toMatrix, role.abilities.require_two_factor && toRule]);
  };
}
