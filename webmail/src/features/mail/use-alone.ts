import type { EmailDto } from '@selvage/core/contracts/email';
import { useQueryClient } from '@tanstack/react-query';
import { wholeConversationQuery } from './queries.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';

type Item = EmailDto | EmailDto['replies'][number];

/** Functions that leave the open message. */
interface Ways {
  back: () => void;
  /** Shows the rest of its conversation. */
  showRest: () => void;
}

/** The actions on a single message of an open conversation, for its menu and its keys. */
export function useAlone(email: EmailDto, { back, showRest }: Ways) {
  const changeStatus = useChangeStatus();
  const client = useQueryClient();
  // Of a conversation that is open in the trash, all is meant
  const isBeside = (one: Item): boolean => email.trash_status || !one.trash_status;
  return {
    set: (item: Item, patch: StatusPatch): void => {
      void changeStatus({ records: [item], patch, isSaid: true });
      // The address of the page is that of the open message
      if (patch.trash_status === true && item._id === email._id) showRest();
    },
    star: (item: Item): void => void changeStatus({ records: [item], patch: { star_status: !item.star_status } }),
    /** Marks the message and all later ones unread, but none that was deleted. */
    markUnread: (item: Item): void => {
      const { replies } = client.getQueryData(wholeConversationQuery(email._id).queryKey) ?? email;
      const later = [email, ...replies].filter(
        (one) => one._id === item._id || (one.createdAt > item.createdAt && !one.send_status && isBeside(one)),
      );
      void changeStatus({ records: later, patch: { read_status: false }, isSaid: true });
      back();
    },
  };
}
