import { emptyJunk, emptyTrash } from '@selvage/core/contracts/mail-folders';
import { Button, makeStyles } from '@fluentui/react-components';
import { DeleteDismissRegular } from '@fluentui/react-icons/svg/delete-dismiss';
import { useState } from 'react';
import { IconButton } from '../../components/IconButton.tsx';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { mailActionWords } from '../../words/mail-list.ts';
import { type Deletable, useMayDeleteForGood } from './deleting.ts';
import type { Emptied } from './EmptyTrashDialog.tsx';

const EmptyTrashDialog = lazyExtra(() => import('./EmptyTrashDialog.tsx'));
const DeleteForGoodDialog = lazyExtra(() => import('./DeleteForGoodDialog.tsx'));

const useStyles = makeStyles({ root: { whiteSpace: 'nowrap', flexShrink: 0 } });

/** Deletes all that is in the trash, or in Junk, after a question. */
export function EmptyButton({ folder }: { folder: Emptied }) {
  const styles = useStyles();
  const t = useWords(mailActionWords);
  const [isAsking, setAsking] = useState(false);
  if (!can(useCurrentUser(), folder === 'junk' ? emptyJunk : emptyTrash)) return null;
  return (
    <>
      <Button className={styles.root} onClick={() => setAsking(true)}>
        {folder === 'junk' ? t.emptyJunk : t.emptyTrash}
      </Button>
      {isAsking && <EmptyTrashDialog folder={folder} onClose={() => setAsking(false)} />}
    </>
  );
}

interface DeleteProps {
  chosen: readonly Deletable[];
  isDisabled?: boolean;
  onDeleted?: () => void;
}

/**
 * Deletes messages of the trash and of Junk for good, after a question. The button is left out if
 * one of the messages is elsewhere.
 */
export function DeleteForGoodButton({ chosen, isDisabled = false, onDeleted }: DeleteProps) {
  const t = useWords(mailActionWords);
  const [asked, setAsked] = useState<DeleteProps['chosen'] | null>(null);
  const mayDelete = useMayDeleteForGood();
  if (!mayDelete(chosen) && !asked) return null;
  return (
    <>
      <IconButton
        label={t.deleteForGood}
        icon={<DeleteDismissRegular />}
        disabledFocusable={isDisabled}
        onClick={() => setAsked(chosen)}
      />
      {asked && <DeleteForGoodDialog rows={asked} onDeleted={onDeleted} onClose={() => setAsked(null)} />}
    </>
  );
}
