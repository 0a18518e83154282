import { useParams } from 'react-router-dom';
import type { FetchAheadContext } from '../../lib/page.ts';
import { MatrixPage } from './MatrixPage.tsx';
import { matrixQuery } from './queries.ts';

/** Loads the matrix in parallel with the other requests of a first load. */
export function fetchAhead({ client, params: { id = '' } }: FetchAheadContext): void {
  void client.prefetchQuery(matrixQuery({ kind: 'role', id }));
}

/** What a role may do, as /dashboard/role/permission/{id}. */
export default function RolePermissionsPage() {
  const { id = '' } = useParams();
  return <MatrixPage key={id} subject={{ kind: 'role', id }} />;
}
