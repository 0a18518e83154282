import { changeStatus, type EmailDto, type EmailRowDto } from '@selvage/core/contracts/mail';
import type { Pagination } from '@selvage/core/contracts/endpoint';
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query';
import { notify } from '../../components/feedback/notify.ts';
import { api } from '../../lib/api.ts';
import { plural } from '../../lib/format.ts';
import { belongsTo, type Folder } from './folders.ts';
import { mailKeys } from './queries.ts';

export type StatusPatch = Partial<Pick<EmailRowDto, 'read_status' | 'star_status' | 'archive_status' | 'trash_status'>>;

export interface StatusChange {
  ids: string[];
  patch: StatusPatch;
  /** Said in the toast, with Undo; silent when left out. */
  said?: string;
}

interface ListData {
  rows: EmailRowDto[];
  pagination: Pagination;
}

export function invert(patch: StatusPatch): StatusPatch {
  return Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, !value]));
}

/** The list as it will be once the server has done it: flags set, and rows that left the folder gone. */
export function applyToList(data: ListData, folder: Folder, ids: ReadonlySet<string>, patch: StatusPatch): ListData {
  const rows = data.rows
    .map((row) => (ids.has(row._id) ? { ...row, ...patch } : row))
    .filter((row) => !ids.has(row._id) || belongsTo(folder, row));
  const gone = data.rows.length - rows.length;
  return { rows, pagination: { ...data.pagination, totalData: Math.max(0, data.pagination.totalData - gone) } };
}

function applyOptimistically(client: QueryClient, { ids, patch }: StatusChange): () => void {
  const chosen = new Set(ids);
  const before = client.getQueriesData({ queryKey: ['mail'] });
  for (const [key, data] of client.getQueriesData<ListData>({ queryKey: mailKeys.lists })) {
    if (data) client.setQueryData(key, applyToList(data, key[2] as Folder, chosen, patch));
  }
  for (const id of ids) {
    client.setQueryData<EmailDto>(mailKeys.detail(id), (email) => (email ? { ...email, ...patch } : email));
  }
  return () => {
    for (const [key, data] of before) client.setQueryData(key, data);
  };
}

/** Sets flags at once on the screen and then on the server; a refusal puts everything back and says so. */
export function useChangeStatus(): (change: StatusChange) => void {
  const client = useQueryClient();
  const mutation = useMutation({
    mutationFn: ({ ids, patch }: StatusChange) => api(changeStatus, { body: { email_id: ids, ...patch } }),
    onMutate: async (change) => {
      await client.cancelQueries({ queryKey: ['mail'] });
      return applyOptimistically(client, change);
    },
    onError: (error, _change, rollBack) => {
      rollBack?.();
      notify.error(error);
    },
    onSuccess: (_answer, { ids, patch, said }) => {
      if (!said) return;
      const text = ids.length === 1 ? said : `${said}: ${plural(ids.length, 'message', 'messages')}`;
      notify.success(text, { label: 'Undo', run: () => mutation.mutate({ ids, patch: invert(patch) }) });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['mail'] }),
  });
  return (change) => {
    if (change.ids.length > 0) mutation.mutate(change);
  };
}
