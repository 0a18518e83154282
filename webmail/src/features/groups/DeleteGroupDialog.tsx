import { type GroupDto, removeGroup } from '@selvage/core/contracts/groups';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useWords } from '../../lib/i18n.ts';
import { actOnRecord } from '../../lib/record-calls.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { groupWords } from '../../words/groups.ts';
import { groupsKey } from './queries.ts';

/** Asks before a group is deleted for good. */
export function DeleteGroupDialog({ group, onClose }: { group: GroupDto; onClose: () => void }) {
  const t = useWords(groupWords);
  const tellChanged = useChanged(groupsKey);
  const remove = () => actOnRecord({ call: removeGroup, id: group._id, said: t.deleted, tellChanged });
  const text = t.deleteText({ address: shownAddress(group.address) });
  return <DeleteDialog title={t.deleteTitle} text={text} onDelete={remove} onClose={onClose} />;
}
