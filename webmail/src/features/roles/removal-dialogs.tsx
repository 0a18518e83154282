import { eraseRole, removeRole, restoreRole, type RoleDto } from '@selvage/core/contracts/roles';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { rolesKey } from '../../lib/roles.ts';
import { recordWords } from '../../words/records.ts';
import { roleWords } from '../../words/roles.ts';

interface Props {
  role: RoleDto;
  onClose: () => void;
}

/** Asks before a role is deleted, which can be taken back. One that people have is not deleted. */
export function DeleteRoleDialog({ role, onClose }: Props) {
  const t = useWords(roleWords);
  const tellChanged = useChanged(rolesKey);
  const remove = async (): Promise<void> => {
    await api(removeRole, { params: { id: role._id } });
    await tellChanged(t.deleted);
  };
  const text = role.people > 0 ? `${t.people(role.people)} ${t.inUse}` : t.deleteText({ name: role.role_name });
  return <DeleteDialog title={t.deleteTitle} text={text} onDelete={remove} onClose={onClose} />;
}

/** Asks before a role is deleted for good. */
export function EraseRoleDialog({ role, onClose }: Props) {
  const t = useWords(roleWords);
  const { eraseText } = useWords(recordWords);
  const tellChanged = useChanged(rolesKey);
  const erase = async (): Promise<void> => {
    await api(eraseRole, { params: { id: role._id } });
    await tellChanged(t.erased);
  };
  return (
    <DeleteDialog title={t.eraseTitle} text={eraseText({ name: role.role_name })} onDelete={erase} onClose={onClose} />
  );
}

/** Restores a role at once: it can be deleted again. */
export function useRestoreRole(): (role: RoleDto) => void {
  const t = useWords(roleWords);
  const tellChanged = useChanged(rolesKey);
  return ({ _id }) => {
    api(restoreRole, { params: { id: _id } })
      .then(() => tellChanged(t.restored))
      .catch((error: unknown) => notify.error(error));
  };
}
