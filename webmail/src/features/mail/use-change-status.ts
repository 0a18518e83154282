import { changeStatus, type EmailDto, type EmailRowDto } from '@selvage/core/contracts/mail';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type Act, type ActionOptions, useAction } from '../../hooks/use-action.ts';
import type { ListPage } from '../../hooks/use-list-query.ts';
import { api } from '../../lib/api.ts';
import { createPendingChanges } from '../../lib/pending-changes.ts';
import { mailKeys } from './keys.ts';
import { useMayChange } from './use-may-change.ts';

type Flag = 'read_status' | 'star_status' | 'archive_status' | 'trash_status';
export type StatusPatch = Partial<Pick<EmailRowDto, Flag>>;

/** Flags that the server has not confirmed yet; lists and the open message show them already. */
export const pendingStatus = createPendingChanges<StatusPatch>();

function commit(client: QueryClient, ids: ReadonlySet<string>, patch: StatusPatch): void {
  const patched = <R extends { _id: string }>(row: R): R => (ids.has(row._id) ? { ...row, ...patch } : row);
  client.setQueriesData<ListPage<EmailRowDto>>(
    { queryKey: mailKeys.lists },
    (page) => page && { ...page, rows: page.rows.map(patched) },
  );
  for (const id of ids) client.setQueryData<EmailDto>(mailKeys.detail(id), (email) => email && patched(email));
}

// an open message holds nothing that its flags change, so it is not read again
const options: ActionOptions<StatusPatch> = {
  changes: pendingStatus,
  call: (ids, patch) => api(changeStatus, { body: { email_id: ids, ...patch } }),
  commit,
  stale: [mailKeys.lists, mailKeys.totals],
};

/**
 * Sets flags on messages: at once on the screen, then on the server, with Undo where something is
 * said. Messages that the person may not change are passed over.
 */
export function useChangeStatus() {
  const change = useAction(options);
  const mayChange = useMayChange();
  return useCallback(
    <R extends EmailRowDto | EmailDto>({ records, ...rest }: Act<StatusPatch, R>): Promise<void> =>
      change({ records: records.filter(mayChange), ...rest }),
    [change, mayChange],
  );
}
