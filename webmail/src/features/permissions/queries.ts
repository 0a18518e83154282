import { getPermissions, type PermissionMatrix } from '@selvage/core/contracts/permission-matrix';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { matrixKey, type MatrixSubject } from '../../lib/record-keys.ts';

/** The role or the person as the calls name it. */
export function namedBy({ kind, id }: MatrixSubject): { role_id: string } | { user_id: string } {
  return kind === 'role' ? { role_id: id } : { user_id: id };
}

/** What a role or a person may do. */
export const matrixQuery = (subject: MatrixSubject) =>
  queryOptions<PermissionMatrix>({
    queryKey: matrixKey(subject),
    queryFn: ({ signal }) => api(getPermissions, { query: namedBy(subject), signal }),
  });
