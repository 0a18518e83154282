import { QueryClient } from '@tanstack/react-query';

/** The signed-in person, under one key for whatever has to ask for them again. */
export const currentUserKey = ['user', 'info'] as const;

export const queryClient = new QueryClient({
  defaultOptions: {
    // a call repeats itself where that may help; and whether there is a network, the calls find out better than the browser does
    queries: { retry: false, networkMode: 'always', staleTime: 15_000, gcTime: 600_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});
