import { listSignatures } from '@selvage/core/contracts/signatures';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';

/** The person's signatures. The account settings edit them, and compose uses them. */
export const signaturesQuery = queryOptions({
  queryKey: ['signatures'],
  queryFn: ({ signal }) => api(listSignatures, { signal }),
});
