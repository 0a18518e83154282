import { emptyJunk, emptyTrash } from '@selvage/core/contracts/mail-folders';
import { useQuery } from '@tanstack/react-query';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { currentSubject } from '../../lib/session.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { trashWords } from '../../words/trash.ts';
import { totalsQuery } from './queries.ts';

interface Props {
  folder: Emptied;
  onClose: () => void;
}

/** The folders that are emptied at once. */
export type Emptied = 'trash' | 'junk';

/** Asks before all that is in the trash, or in Junk, is deleted for good. */
export default function EmptyTrashDialog({ folder, onClose }: Props) {
  const t = useWords(trashWords);
  const { cancel } = useWords(dialogWords);
  const tellChanged = useChanged(['mail']);
  // The list may count conversations
  const messages = useQuery(totalsQuery).data?.[folder].total;
  return (
    <ConfirmDialog
      isDangerous
      title={folder === 'junk' ? t.emptyJunkTitle : t.emptyTitle}
      text={messages === undefined ? t.emptyAllText : t.emptyText(messages)}
      confirmLabel={folder === 'junk' ? t.emptyJunk : t.empty}
      cancelLabel={cancel}
      onConfirm={async () => tellChanged(t.emptied(await removeAll(folder)))}
      onClose={onClose}
    />
  );
}

/**
 * Empties the folder of the person who is logged in, part by part. It stops when another person
 * logs in meanwhile.
 * @returns how many messages were deleted
 */
async function removeAll(folder: Emptied): Promise<number> {
  const as = currentSubject();
  let removed = 0;
  for (let until: string | undefined; ; ) {
    const answer = await api(folder === 'junk' ? emptyJunk : emptyTrash, {
      body: until === undefined ? {} : { until },
      as,
    });
    removed += answer.removed;
    if (!answer.is_left) return removed;
    until = answer.until;
  }
}
