import { emptyJunk, emptyTrash, markFolder } from '@selvage/core/contracts/mail-folders';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { changesMade } from '../../hooks/use-action.ts';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { currentSubject } from '../../lib/session.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { trashWords } from '../../words/trash.ts';

interface Props {
  folder: Emptied;
  onClose: () => void;
}

/** The folders that are emptied at once. */
export type Emptied = 'trash' | 'junk';

/**
 * What the folder has when the dialog opens, and the server has what the person did before. It is
 * loaded once: what comes later was not asked about, and stays.
 */
const markQuery = (folder: Emptied) =>
  queryOptions({
    queryKey: ['emptied', folder],
    queryFn: async () => {
      await changesMade();
      return await api(markFolder, { query: { folder } });
    },
    staleTime: Infinity,
    gcTime: 0,
  });

/** Asks before all that is in the trash, or in Junk, is deleted for good. */
export default function EmptyTrashDialog({ folder, onClose }: Props) {
  const t = useWords(trashWords);
  const { cancel } = useWords(dialogWords);
  const tellChanged = useChanged(['mail']);
  const client = useQueryClient();
  const messages = useQuery(markQuery(folder)).data?.total;
  return (
    <ConfirmDialog
      isDangerous
      title={folder === 'junk' ? t.emptyJunkTitle : t.emptyTitle}
      text={messages === undefined ? t.emptyAllText : t.emptyText(messages)}
      confirmLabel={folder === 'junk' ? t.emptyJunk : t.empty}
      cancelLabel={cancel}
      onConfirm={async () => {
        const { until } = await client.ensureQueryData(markQuery(folder));
        await tellChanged(t.emptied(await removeAll(folder, until)));
      }}
      onClose={onClose}
    />
  );
}

/**
 * Empties the folder of the person who is logged in up to a mark, part by part. It stops when
 * another person logs in meanwhile.
 * @returns how many messages were deleted
 */
async function removeAll(folder: Emptied, until: string): Promise<number> {
  const as = currentSubject();
  let removed = 0;
  for (;;) {
    await changesMade();
    const answer = await api(folder === 'junk' ? emptyJunk : emptyTrash, { body: { until }, as });
    removed += answer.removed;
    if (!answer.is_left) return removed;
  }
}
