import type { EmailDto } from '@selvage/core/contracts/email';
import { useQueryClient } from '@tanstack/react-query';
import { wholeConversationQuery } from './queries.ts';
import { type StatusPatch, useChangeStatus } from './use-change-status.ts';

type Item = EmailDto | EmailDto['replies'][number];

/** Ways that lead away from the open message. */
interface Ways {
  back: () => void;
  /** To the rest of its conversation. */
  showRest: () => void;
}

/** What is done with one message of an open conversation alone, by its menu and by keys in it. */
export function useAlone(email: EmailDto, { back, showRest }: Ways) {
  const changeStatus = useChangeStatus();
  const client = useQueryClient();
  return {
    set: (item: Item, patch: StatusPatch): void => {
      void changeStatus({ records: [item], patch, isSaid: true });
      // What is open has the address of the page
      if (patch.trash_status === true && item._id === email._id) showRest();
    },
    star: (item: Item): void => void changeStatus({ records: [item], patch: { star_status: !item.star_status } }),
    /** With all that came after it. */
    markUnread: (item: Item): void => {
      const { replies } = client.getQueryData(wholeConversationQuery(email._id).queryKey) ?? email;
      const later = [email, ...replies].filter(
        (one) => one._id === item._id || (one.createdAt > item.createdAt && !one.send_status),
      );
      void changeStatus({ records: later, patch: { read_status: false }, isSaid: true });
      back();
    },
  };
}
