import { getPermissions } from '@selvage/core/contracts/permission-matrix';
import { permissionActions } from '@selvage/core/contracts/permissions';
import type { SourcedPermission, UserDetailDto } from '@selvage/core/contracts/users';
import type { Column } from '../../components/list/columns.ts';
import { DataTable } from '../../components/list/DataTable.tsx';
import { Section } from '../../components/page/Section.tsx';
import { StateWord } from '../../components/StateWord.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { userWords } from '../../words/users.ts';
import { PermissionMatrix } from '../permissions/PermissionMatrix.tsx';

function columns(): Column<SourcedPermission>[] {
  const t = wordsOf(userWords);
  const titles = { view: t.view, create: t.create, edit: t.change, delete: t.delete };
  return [
    { id: 'model', title: t.model, cell: ({ model }) => modelName(model) },
    ...permissionActions.map((action) => ({
      id: action,
      title: titles[action],
      cell: (row: SourcedPermission) => <Flag isSet={row[action]} />,
      width: '100px',
    })),
    {
      id: 'source',
      title: t.source,
      cell: ({ source }) => (source === 'own' ? t.fromOwn : t.fromRole),
      width: '100px',
    },
  ];
}

/**
 * What a user may do, and whether the role or an entry of their own says so. Callers with the right
 * to see matrices get the matrix itself, where they can change it.
 */
export function PermissionList({ user }: { user: UserDetailDto }) {
  const t = useWords(userWords);
  const hasMatrix = can(useCurrentUser(), getPermissions);
  if (hasMatrix) {
    return (
      <Section title={t.permission}>
        <PermissionMatrix subject={{ kind: 'user', id: user._id }} />
      </Section>
    );
  }
  return (
    <Section title={t.permission} hint={t.permissionHint}>
      <DataTable
        label={t.permission}
        columns={columns()}
        rows={user.permissions}
        keyOf={({ model }) => model}
        nameOf={({ model }) => modelName(model)}
      />
    </Section>
  );
}

function Flag({ isSet }: { isSet: boolean }) {
  const t = useWords(userWords);
  return <StateWord kind={isSet ? 'good' : 'quiet'}>{isSet ? t.yes : t.no}</StateWord>;
}
