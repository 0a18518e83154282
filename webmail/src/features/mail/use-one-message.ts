import type { EmailDto } from '@selvage/core/contracts/email';
import { useContext } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { oneMessageWords } from '../../words/reading.ts';
import { mayBeArchived } from './folder-rules.ts';
import { OpenActions } from './open-actions.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';
import { useMayChange } from './use-may-change.ts';

/**
 * What the menu of one message of a conversation does with it alone. Empty for a message that
 * stands alone: the buttons above it do the same.
 */
export function useOneMessage(item: EmailDto): { label: string; run: () => void }[] {
  const t = useWords(oneMessageWords);
  const open = useContext(OpenActions);
  const changeStatus = useChangeStatus();
  const mayChange = useMayChange();
  if (!open || open.email.replies.length === 0 || !mayChange(item)) return [];
  const { email, actions } = open;
  const set = (patch: StatusPatch): void => void changeStatus({ records: [item], patch, isSaid: true });
  const remove = (): void => {
    set({ trash_status: true });
    // What is open has the address of the page
    if (item._id === email._id) actions.showRest();
  };
  const markUnread = (): void => {
    const later = [email, ...email.replies].filter(
      (one) => one._id === item._id || (one.createdAt > item.createdAt && !one.send_status),
    );
    void changeStatus({ records: later, patch: { read_status: false }, isSaid: true });
    actions.back();
  };
  return [
    {
      label: item.star_status ? t.removeStar : t.addStar,
      run: () => void changeStatus({ records: [item], patch: { star_status: !item.star_status } }),
    },
    { label: t.markUnread, run: markUnread },
    ...(mayBeArchived(item)
      ? [
          {
            label: item.archive_status ? t.unArchive : t.archive,
            run: () => set({ archive_status: !item.archive_status }),
          },
        ]
      : []),
    { label: t.delete, run: remove },
  ];
}
