import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { createGroup, type GroupDto, listGroups } from '@selvage/core/contracts/groups';
import { useState } from 'react';
import type { Column } from '../../components/list/columns.ts';
import { ListScreen } from '../../components/list/ListScreen.tsx';
import { recordActionsOf, RecordStateWord, stateInWords } from '../../components/list/record-state.tsx';
import { companyColumns, companyFilters } from '../../components/list/company-parts.tsx';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { groupWords } from '../../words/groups.ts';
import { recordWords } from '../../words/records.ts';
import { AddGroupDialog } from './AddGroupDialog.tsx';
import { AddressLinks } from './AddressLinks.tsx';
import { DeleteGroupDialog } from './DeleteGroupDialog.tsx';
import { EditGroupDialog } from './EditGroupDialog.tsx';
import { groupsKey } from './queries.ts';

function columns(user: CurrentUserDto | undefined): Column<GroupDto>[] {
  const t = wordsOf(groupWords);
  return [
    { id: 'name', title: t.group, cell: ({ name }) => name, text: ({ name }) => name },
    {
      id: 'address',
      title: t.address,
      cell: ({ address }) => shownAddress(address),
      text: ({ address }) => address,
      width: '30%',
    },
    ...companyColumns<GroupDto>(user, t.company),
    {
      id: 'people',
      title: t.people,
      cell: ({ people }) => people,
      text: ({ people }) => String(people),
      isAtEnd: true,
      width: '90px',
    },
    {
      id: 'status',
      title: wordsOf(recordWords).status,
      cell: (group) => <RecordStateWord record={{ ...group, deletedAt: null }} />,
      text: (group) => stateInWords({ ...group, deletedAt: null }),
      width: '110px',
    },
  ];
}

type Open = { kind: 'add' } | { kind: 'edit' | 'delete'; group: GroupDto } | null;

/** The groups: found, added, changed and deleted. */
export default function GroupsPage() {
  const t = useWords(groupWords);
  const user = useCurrentUser();
  const [open, setOpen] = useState<Open>(null);
  const close = (): void => setOpen(null);
  return (
    <>
      <ListScreen
        title={t.title}
        header={<AddressLinks />}
        endpoint={listGroups}
        queryKey={[...groupsKey, 'list']}
        isNumbered
        searchLabel={t.search}
        filters={companyFilters(user, t.company)}
        columns={columns(user)}
        keyOf={({ _id }) => _id}
        nameOf={({ name }) => name}
        actionsOf={(group) =>
          recordActionsOf(group, {
            edit: (one) => setOpen({ kind: 'edit', group: one }),
            delete: (one) => setOpen({ kind: 'delete', group: one }),
          })
        }
        add={{ call: createGroup, label: t.addButton, run: () => setOpen({ kind: 'add' }) }}
        exportName="groups"
        empty={{ title: t.none, narrowedTitle: t.noneFound, hint: t.hint }}
      />
      {open?.kind === 'add' && <AddGroupDialog onClose={close} />}
      {open?.kind === 'edit' && <EditGroupDialog id={open.group._id} onClose={close} />}
      {open?.kind === 'delete' && <DeleteGroupDialog group={open.group} onClose={close} />}
    </>
  );
}
