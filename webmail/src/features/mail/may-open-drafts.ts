import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { getDraft } from '@selvage/core/contracts/drafts';
import { can } from '../../lib/can.ts';
import { currentUserKey, queryClient } from '../../lib/query-client.ts';

/**
 * Some may send and have no right to drafts. The draft of a message that they take back is out of
 * their reach.
 */
export function mayOpenDrafts(): boolean {
  const person = queryClient.getQueryData<CurrentUserDto>(currentUserKey);
  return person === undefined || can(person, getDraft);
}
