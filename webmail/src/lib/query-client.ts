import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';

/** The signed-in person, under one key for whoever has to ask for them again. */
export const currentUserKey = ['user', 'info'] as const;

/** Repeats only what may go better the second time: no answer at all, or a server that is busy. */
function shouldRetry(failures: number, error: Error): boolean {
  if (failures >= 2) return false;
  return error instanceof ApiError && (error.status === 0 || error.status >= 502);
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: shouldRetry, staleTime: 15_000, gcTime: 600_000 },
    mutations: { retry: false },
  },
});
