import { changeStatus, type EmailDto, type EmailRowDto } from '@selvage/core/contracts/mail';
import type { QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type ActionOptions, useAction } from '../../hooks/use-action.ts';
import type { ListPage } from '../../hooks/use-list-query.ts';
import { api } from '../../lib/api.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { expectNotice } from '../../lib/own-changes.ts';
import { createPendingChanges } from '../../lib/pending-changes.ts';
import { mailActionWords } from '../../words/mail-list.ts';
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

async function setFlags(ids: string[], patch: StatusPatch): Promise<void> {
  const forget = expectNotice();
  try {
    await api(changeStatus, { body: { email_id: ids, ...patch } });
  } catch (error) {
    forget();
    throw error;
  }
}

// an open message holds nothing that its flags change, so it is not read again
const options: ActionOptions<StatusPatch> = {
  changes: pendingStatus,
  call: setFlags,
  commit,
  stale: [mailKeys.lists, mailKeys.totals],
};

interface StatusChange<R> {
  records: readonly R[];
  patch: StatusPatch;
  /** Whether a toast with Undo says what was done; otherwise the change is silent. */
  isSaid?: boolean;
}

/**
 * Sets flags on messages: at once on the screen, then on the server, with Undo where something is
 * said. Messages that the person may not change are passed over, and not counted in what is said.
 */
export function useChangeStatus() {
  const change = useAction(options);
  const mayChange = useMayChange();
  return useCallback(
    <R extends EmailRowDto | EmailDto>({ records, patch, isSaid = false }: StatusChange<R>): Promise<void> => {
      const changed = records.filter(mayChange);
      return change({ records: changed, patch, ...(isSaid && { said: saidOf(patch, changed.length) }) });
    },
    [change, mayChange],
  );
}

/** What a change of flags did to so many messages, for its toast. */
function saidOf(patch: StatusPatch, number: number): string {
  const t = wordsOf(mailActionWords);
  if (patch.archive_status !== undefined) return patch.archive_status ? t.archived(number) : t.unArchived(number);
  if (patch.trash_status !== undefined) return patch.trash_status ? t.trashed(number) : t.restored(number);
  return patch.read_status ? t.read(number) : t.unreadAgain(number);
}
