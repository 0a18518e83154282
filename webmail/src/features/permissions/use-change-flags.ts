import { changePermissions, type MatrixRow } from '@selvage/core/contracts/permission-matrix';
import type { PermissionAction } from '@selvage/core/contracts/permissions';
import { useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useAction } from '../../hooks/use-action.ts';
import { api } from '../../lib/api.ts';
import { createPendingChanges, useWithPending } from '../../lib/pending-changes.ts';
import { choicesKey, matricesKey, matrixKey, type MatrixSubject, rolesKey, usersKey } from '../../lib/record-keys.ts';
import { namedBy } from './queries.ts';

type Flags = Partial<Record<PermissionAction, boolean>>;
/** A row of a matrix under an id of its own. */
export type KeyedRow = MatrixRow & { _id: string };

/** Flags that the server has not confirmed yet; the switches show them already. */
const pendingFlags = createPendingChanges<Flags>();

const SEPARATOR = '/';

/** The rows of a matrix as they will be once all that is under way is done. */
export function useRows({ kind, id }: MatrixSubject, rows: readonly MatrixRow[]): readonly KeyedRow[] {
  const keyed = useMemo(
    () => rows.map((row) => ({ ...row, _id: [kind, id, row.model].join(SEPARATOR) })),
    [kind, id, rows],
  );
  return useWithPending(pendingFlags, keyed);
}

/**
 * Changes one flag: at once on the screen, then on the server, and back with a toast if it fails.
 */
export function useChangeFlag({ kind, id }: MatrixSubject) {
  const client = useQueryClient();
  const options = useMemo(() => {
    const subject = { kind, id };
    const call = async (ids: string[], patch: Flags, as: string | null): Promise<void> => {
      const permissions = ids.map((key) => ({ model: key.split(SEPARATOR).at(-1) ?? '', ...patch }));
      const saved = await api(changePermissions, { body: { ...namedBy(subject), permissions }, as });
      const queryKey = matrixKey(subject);
      await client.cancelQueries({ queryKey });
      // The answer also says which rows are now the person's own
      client.setQueryData(queryKey, saved);
    };
    const stale = [matricesKey, rolesKey, usersKey, choicesKey];
    return { changes: pendingFlags, call, commit: () => undefined, stale };
  }, [client, kind, id]);
  const change = useAction<Flags>(options);
  return (row: KeyedRow, action: PermissionAction, value: boolean): Promise<boolean> =>
    change({ records: [row], patch: { [action]: value } });
}
