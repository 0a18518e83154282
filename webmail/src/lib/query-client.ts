import { QueryClient } from '@tanstack/react-query';

/** The key of the logged-in person, for all code that loads them again. */
export const currentUserKey = ['user', 'info'] as const;

export const queryClient = new QueryClient({
  defaultOptions: {
    // A call repeats itself where that may help, and calls find out better than the browser whether
    // there is a network
    queries: { retry: false, networkMode: 'always', staleTime: 15_000, gcTime: 600_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});
