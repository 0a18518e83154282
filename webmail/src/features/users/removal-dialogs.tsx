import { nameOrAddress } from '@selvage/core/contracts/full-name';
import { eraseUser, removeUser, restoreUser, type UserDto } from '@selvage/core/contracts/users';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { useWords } from '../../lib/i18n.ts';
import { actAtOnce, actOnRecord } from '../../lib/record-calls.ts';
import { usersKey } from '../../lib/record-keys.ts';
import { shownAddress } from '../../lib/shown-address.ts';
import { recordWords } from '../../words/records.ts';
import { userWords } from '../../words/users.ts';

interface Props {
  user: UserDto;
  onClose: () => void;
  /** After it is done; the user's own page leads away then. */
  onDone?: () => void;
}

/** Asks before a user is deleted, which can be taken back. */
export function DeleteUserDialog({ user, onClose }: Props) {
  const t = useWords(userWords);
  const r = useWords(recordWords);
  const tellChanged = useChanged(usersKey);
  const remove = () =>
    actOnRecord({ call: removeUser, id: user._id, said: t.deleted, failed: r.deleteFailed, tellChanged });
  const text = t.deleteText({ name: nameOrAddress(user), email: shownAddress(user.email) });
  return <DeleteDialog title={t.deleteTitle} text={text} onDelete={remove} onClose={onClose} />;
}

/** Asks before a user is deleted for good. */
export function EraseUserDialog({ user, onClose, onDone }: Props) {
  const t = useWords(userWords);
  const r = useWords(recordWords);
  const tellChanged = useChanged(usersKey);
  const erase = () =>
    actOnRecord({ call: eraseUser, id: user._id, said: t.erased, failed: r.eraseFailed, tellChanged, onDone });
  const text = t.eraseText({ name: nameOrAddress(user), email: shownAddress(user.email) });
  return <DeleteDialog title={t.eraseTitle} text={text} word="DELETE" onDelete={erase} onClose={onClose} />;
}

/** Restores a user at once: they can be deleted again. */
export function useRestoreUser(): (user: Pick<UserDto, '_id'>) => void {
  const t = useWords(userWords);
  const r = useWords(recordWords);
  const tellChanged = useChanged(usersKey);
  return ({ _id: id }) => actAtOnce({ call: restoreUser, id, said: t.restored, failed: r.restoreFailed, tellChanged });
}
