import type { EmailDto } from '@selvage/core/contracts/email';
import { useMemo } from 'react';
import { useWithPending } from '../../lib/pending-changes.ts';
import { pendingStatus } from './use-change-status.ts';

/**
 * The message with the others of its conversation as they are now: those that were deleted since it
 * was read are gone at once.
 */
export function useRest(email: EmailDto): EmailDto {
  const replies = useWithPending(pendingStatus, email.replies);
  return useMemo(() => ({ ...email, replies: replies.filter(({ trash_status }) => !trash_status) }), [email, replies]);
}
