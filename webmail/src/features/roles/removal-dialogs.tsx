import { eraseRole, removeRole, restoreRole, type RoleDto } from '@selvage/core/contracts/roles';
import { listUsers } from '@selvage/core/contracts/users';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { InfoDialog } from '../../components/dialog/InfoDialog.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { actAtOnce, actOnRecord } from '../../lib/record-calls.ts';
import { rolesKey } from '../../lib/record-keys.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { recordWords } from '../../words/records.ts';
import { roleWords } from '../../words/roles.ts';

interface Props {
  role: RoleDto;
  onClose: () => void;
}

/**
 * Asks before a role is deleted, which can be taken back. A role that people have is not deleted.
 */
export function DeleteRoleDialog(props: Props) {
  return props.role.people > 0 ? <RoleInUse {...props} /> : <DeleteQuestion {...props} />;
}

/** Says why a role stays, and leads to the people who have it. */
function RoleInUse({ role, onClose }: Props) {
  const t = useWords(roleWords);
  const { ok } = useWords(dialogWords);
  const maySee = can(useCurrentUser(), listUsers);
  return (
    <InfoDialog title={t.inUseTitle} doneLabel={ok} onClose={onClose}>
      <span>{`${t.people(role.people)} ${t.inUse}`}</span>
      {maySee && <TextLink to={peopleOf(role)}>{t.showPeople}</TextLink>}
    </InfoDialog>
  );
}

/** The list of users, narrowed to a role. It shows the roles of one company. */
function peopleOf({ _id, company_id: company }: RoleDto): string {
  return `/dashboard/user?company_id=${company._id}&role_id=${_id}`;
}

function DeleteQuestion({ role, onClose }: Props) {
  const t = useWords(roleWords);
  const r = useWords(recordWords);
  const tellChanged = useChanged(rolesKey);
  const remove = () =>
    actOnRecord({ call: removeRole, id: role._id, said: t.deleted, failed: r.deleteFailed, tellChanged });
  const text = t.deleteText({ name: role.role_name });
  return <DeleteDialog title={t.deleteTitle} text={text} onDelete={remove} onClose={onClose} />;
}

/** Asks before a role is deleted for good. */
export function EraseRoleDialog({ role, onClose }: Props) {
  const t = useWords(roleWords);
  const r = useWords(recordWords);
  const tellChanged = useChanged(rolesKey);
  const erase = () =>
    actOnRecord({ call: eraseRole, id: role._id, said: t.erased, failed: r.eraseFailed, tellChanged });
  return (
    <DeleteDialog
      title={t.eraseTitle}
      text={r.eraseText({ name: role.role_name })}
      onDelete={erase}
      onClose={onClose}
    />
  );
}

/** Restores a role at once: it can be deleted again. */
export function useRestoreRole(): (role: RoleDto) => void {
  const t = useWords(roleWords);
  const r = useWords(recordWords);
  const tellChanged = useChanged(rolesKey);
  return ({ _id: id }) => actAtOnce({ call: restoreRole, id, said: t.restored, failed: r.restoreFailed, tellChanged });
}
