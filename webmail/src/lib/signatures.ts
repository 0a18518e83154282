import { listSignatures } from '@selvage/core/contracts/signatures';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** The own signatures: the account settings keep them, compose uses them. */
export const signaturesQuery = queryOptions({
  queryKey: ['signatures'],
  queryFn: ({ signal }) => api(listSignatures, { signal }),
});
