import { type ClientDetailDto, getClient } from '@selvage/core/contracts/clients';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { clientsKey, companiesKey, recordKey } from '../../lib/record-keys.ts';

/** One client with its company and counts. */
export const clientQuery = (id: string) =>
  queryOptions<ClientDetailDto>({
    queryKey: recordKey(clientsKey, id),
    queryFn: ({ signal }) => api(getClient, { params: { id }, signal }),
  });

/** As `useChanged`: what is done to a client is done to its company. */
export function useClientChanged(): (said: string) => Promise<void> {
  const queries = useQueryClient();
  const tellChanged = useChanged(clientsKey);
  return async (said) => {
    void queries.invalidateQueries({ queryKey: companiesKey });
    await tellChanged(said);
  };
}
