import type { OwnFolderDto } from '@selvage/core/contracts/own-folders';
import { useQueryClient } from '@tanstack/react-query';
import { RunDialog } from '../../components/dialog/RunDialog.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { holdPage, noteChange, sayFailed } from '../../hooks/use-action.ts';
import { useRunInParts } from '../../hooks/use-run-in-parts.ts';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { currentSubject } from '../../lib/session.ts';
import { actionWords } from '../../words/actions.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { mailActionWords } from '../../words/mail-list.ts';
import { wholeFolderWords } from '../../words/whole-folder.ts';
import { changePart, partsToTakeBack, takeBackWhole, touchedIn } from './change-whole-folder.ts';
import { useNameOfWhole } from './own-folders/use-own-folders.ts';
import { totalsQuery } from './queries.ts';
import type { Touched, WholeChoice, WholePatch, WholeProgress } from './whole-folder.ts';

/**
 * No Undo is offered for more messages than this: it would take minutes, in which the page has to
 * stay open.
 */
const MOST_UNDONE = 10_000;

interface Props {
  choice: WholeChoice;
  patch: WholePatch;
  /** Nothing was done. */
  onCancel: () => void;
  /** All of it, or a part, was done. */
  onDone: () => void;
}

/**
 * Asks before all messages of a folder are changed, and then shows the progress. The server makes
 * the change part by part, so a person who stops it keeps the parts that are done.
 */
export default function WholeFolderDialog({ choice, patch, onCancel, onDone }: Props) {
  const t = useWords(wholeFolderWords);
  const { cancel } = useWords(dialogWords);
  const folder = useNameOfWhole(choice.folder);
  const client = useQueryClient();
  const undoable = 'delete_status' in patch ? null : patch;
  const folders = client.getQueryData(totalsQuery.queryKey)?.own_folders ?? [];
  const { title, confirm, said } = wordsFor(patch, folders);

  const finish = async (end: WholeProgress, as: string | null): Promise<void> => {
    const { touched, until } = end;
    const number = touchedIn(end);
    const refresh = () => client.invalidateQueries({ queryKey: ['mail'] });
    const undo = async (changed: NonNullable<typeof undoable>, left: Touched[]): Promise<void> => {
      // Without the page, what is left would never be taken back
      const letGo = holdPage();
      try {
        await noteChange(takeBackWhole(left, changed, as));
        notify.success(t.undone(number));
      } catch (error) {
        // Undo is offered again for what is not taken back yet. The next person is told nothing
        if (currentSubject() === as) sayFailed(error, () => void undo(changed, left));
      } finally {
        letGo();
      }
      await refresh();
    };
    const changed = number > 0 && number <= MOST_UNDONE ? undoable : null;
    const text = number === 0 ? t.nothing : until === null ? said(number) : t.stopped(number);
    notify.success(
      text,
      changed
        ? { label: wordsOf(actionWords).undo, run: () => void undo(changed, partsToTakeBack(touched)), isUndo: true }
        : undefined,
    );
    onDone();
    await refresh();
  };

  const { progress, ...run } = useRunInParts<WholeProgress>({
    start: { seen: 0, touched: [], until: choice.until },
    makePart: (now, as) => changePart({ choice, patch, as }, now),
    onEnd: finish,
    onCancel,
  });
  const done = Math.min(progress.seen, choice.total);
  return (
    <RunDialog
      title={title(choice.total)}
      text={
        <>
          <div>{t.text({ folder })}</div>
          {!undoable && <div>{t.forGood}</div>}
          {undoable && choice.total > MOST_UNDONE && <div>{t.noUndo(MOST_UNDONE)}</div>}
        </>
      }
      confirmLabel={confirm}
      cancelLabel={cancel}
      run={run}
      said={t.progress({ done, total: choice.total })}
      share={{ value: done, max: Math.max(choice.total, 1) }}
    />
  );
}

/** The question, its button, and the words of the toast afterwards. */
function wordsFor(patch: WholePatch, folders: readonly Pick<OwnFolderDto, '_id' | 'name'>[]) {
  const t = wordsOf(wholeFolderWords);
  const a = wordsOf(mailActionWords);
  if ('label' in patch) {
    const name = patch.label.name;
    const [title, said] = patch.isOn ? [t.labelTitle, t.labelled] : [t.unlabelTitle, t.unlabelled];
    return {
      title: (number: number) => title({ messages: t.allOf(number), name }),
      confirm: patch.isOn ? t.label : t.unlabel,
      said: (number: number) => said({ messages: t.messages(number), name }),
    };
  }
  if ('delete_status' in patch) return { title: t.deleteTitle, confirm: a.deleteForGood, said: t.deleted };
  if (patch.own_folder === null) return { title: t.moveOutTitle, confirm: t.move, said: t.movedOut };
  if (patch.own_folder !== undefined) {
    const name = folders.find(({ _id }) => _id === patch.own_folder)?.name ?? '';
    return {
      title: (number: number) => t.moveTitle({ messages: t.allOf(number), name }),
      confirm: t.move,
      said: (number: number) => t.moved({ messages: t.messages(number), name }),
    };
  }
  if (patch.archive_status === true) return { title: t.archiveTitle, confirm: a.archive, said: a.archived };
  if (patch.archive_status === false) return { title: t.unArchiveTitle, confirm: a.unArchive, said: a.unArchived };
  if (patch.trash_status === true) return { title: t.trashTitle, confirm: a.delete, said: a.trashed };
  if (patch.trash_status === false) return { title: t.restoreTitle, confirm: a.restore, said: a.restored };
  if (patch.junk_status === true) return { title: t.junkTitle, confirm: a.junk, said: a.junked };
  if (patch.junk_status === false) return { title: t.notJunkTitle, confirm: a.notJunk, said: a.unJunked };
  if (patch.star_status === true) return { title: t.starTitle, confirm: a.addStar, said: a.starred };
  if (patch.star_status === false) return { title: t.unstarTitle, confirm: a.removeStar, said: a.unstarred };
  if (patch.read_status === true) return { title: t.readTitle, confirm: a.markRead, said: a.read };
  return { title: t.unreadTitle, confirm: a.markUnread, said: a.unreadAgain };
}
