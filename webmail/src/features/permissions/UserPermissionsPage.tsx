import { useParams } from 'react-router-dom';
import type { FetchAheadContext } from '../../lib/page.ts';
import { MatrixPage } from './MatrixPage.tsx';
import { matrixQuery } from './queries.ts';

/** Loads the matrix in parallel with the other requests of a first load. */
export function fetchAhead({ client, params: { id = '' } }: FetchAheadContext): void {
  void client.prefetchQuery(matrixQuery({ kind: 'user', id }));
}

/** What a person may do, as /dashboard/user/permission/{id}. */
export default function UserPermissionsPage() {
  const { id = '' } = useParams();
  return <MatrixPage key={id} subject={{ kind: 'user', id }} />;
}
