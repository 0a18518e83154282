import type { EmailRowDto } from '@selvage/core/contracts/email';
import { emptyJunk, emptyTrash } from '@selvage/core/contracts/mail-folders';
import { atom } from 'nanostores';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { forgetWithPerson } from '../../lib/forget.ts';

/** A message of a list, or one that stands for its conversation. */
export type Deletable = Pick<EmailRowDto, '_id' | 'trash_status' | 'junk_status'> & {
  thread?: EmailRowDto['thread'];
};

/** The messages that are deleted for good when the person agrees; null while nothing is asked. */
export const deleting = atom<readonly Deletable[] | null>(null);
forgetWithPerson(() => deleting.set(null));

/** Says whether the person may delete messages for good: they are in the trash, or in Junk. */
export function useMayDeleteForGood(): (rows: readonly Deletable[]) => boolean {
  const user = useCurrentUser();
  const [ofTrash, ofJunk] = [can(user, emptyTrash), can(user, emptyJunk)];
  return (rows) => rows.every(({ trash_status, junk_status }) => (trash_status ? ofTrash : junk_status && ofJunk));
}
