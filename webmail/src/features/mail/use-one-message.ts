import type { EmailDto } from '@selvage/core/contracts/email';
import { useContext } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { oneMessageWords } from '../../words/reading.ts';
import { mayBeArchived } from './folder-rules.ts';
import { OpenActions } from './open-actions.ts';
import { useMayChange } from './use-may-change.ts';

/**
 * What the menu of one message of a conversation does with it alone. Empty for a message without a
 * conversation: the buttons above it do the same.
 */
export function useOneMessage(item: EmailDto): { label: string; run: () => void }[] {
  const t = useWords(oneMessageWords);
  const open = useContext(OpenActions);
  const mayChange = useMayChange();
  if (!open || open.email.replies.length === 0 || !mayChange(item)) return [];
  const { alone } = open.actions;
  return [
    { label: item.star_status ? t.removeStar : t.addStar, run: () => alone.star(item) },
    { label: t.markUnread, run: () => alone.markUnread(item) },
    ...(mayBeArchived(item)
      ? [
          {
            label: item.archive_status ? t.unArchive : t.archive,
            run: () => alone.set(item, { archive_status: !item.archive_status }),
          },
        ]
      : []),
    { label: t.delete, run: () => alone.set(item, { trash_status: true }) },
  ];
}
