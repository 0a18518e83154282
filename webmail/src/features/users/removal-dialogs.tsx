import { usersKey } from '../../lib/record-keys.ts';
import { eraseUser, removeUser, type UserDto } from '@selvage/core/contracts/users';
import { DeleteDialog } from '../../components/dialog/DeleteDialog.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { fullNameOf } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
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
  const tellChanged = useChanged(usersKey);
  const remove = async (): Promise<void> => {
    await api(removeUser, { params: { id: user._id } });
    await tellChanged(t.deleted);
  };
  const text = t.deleteText({ name: fullNameOf(user), email: user.email });
  return <DeleteDialog title={t.deleteTitle} text={text} onDelete={remove} onClose={onClose} />;
}

/** Asks before a user is deleted for good. */
export function EraseUserDialog({ user, onClose, onDone }: Props) {
  const t = useWords(userWords);
  const tellChanged = useChanged(usersKey);
  const erase = async (): Promise<void> => {
    await api(eraseUser, { params: { id: user._id } });
    onDone?.();
    await tellChanged(t.erased);
  };
  const text = t.eraseText({ name: fullNameOf(user), email: user.email });
  return <DeleteDialog title={t.eraseTitle} text={text} word="DELETE" onDelete={erase} onClose={onClose} />;
}
