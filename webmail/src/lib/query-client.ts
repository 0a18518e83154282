import { type InvalidateOptions, type InvalidateQueryFilters, type Query, QueryClient } from '@tanstack/react-query';

/** The key of the logged-in person, for all code that loads them again. */
export const currentUserKey = ['user', 'info'] as const;

/**
 * A client that loads what has changed again, also what is being loaded at the moment of the
 * change. The library lets a first load, or a load for a page that is not shown yet, end with its
 * old answer, and takes that answer for fresh.
 */
export class FreshQueryClient extends QueryClient {
  /** Queries that are loaded once more after their present load, however often they change. */
  readonly #outdated = new WeakSet<Query>();

  override invalidateQueries(filters: InvalidateQueryFilters = {}, options?: InvalidateOptions): Promise<void> {
    const again = ({ queryKey }: Query) => super.invalidateQueries({ queryKey, exact: true });
    for (const query of this.getQueryCache().findAll(filters)) {
      const { fetchStatus, data } = query.state;
      const goesOn = fetchStatus === 'fetching' && (data === undefined || !query.isActive());
      if (!goesOn || this.#outdated.has(query)) continue;
      this.#outdated.add(query);
      void query.promise
        ?.finally(() => this.#outdated.delete(query))
        // A load that fails brings no old answer
        .then(
          () => again(query),
          () => undefined,
        );
    }
    return super.invalidateQueries(filters, options);
  }
}

export const queryClient = new FreshQueryClient({
  defaultOptions: {
    // A call repeats itself where that may help, and calls find out better than the browser whether
    // there is a network
    queries: { retry: false, networkMode: 'always', staleTime: 15_000, gcTime: 600_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});
