import { useCallback, useRef, useSyncExternalStore } from 'react';

interface Pending<P> {
  ids: ReadonlySet<string>;
  patch: P;
}

/**
 * Changes of records that the server has not confirmed yet. They are kept over the cache and not in
 * it, so that a list fetched meanwhile, a second change and the failure of a third never undo each
 * other.
 */
export interface PendingChanges<P extends object> {
  /** Puts a change over the records until the returned function is called. */
  begin: (ids: readonly string[], patch: P) => () => void;
  /** A record as it will be once all that is pending is done. */
  over: <R extends { _id: string }>(record: R) => R;
  subscribe: (listener: () => void) => () => void;
  /** Another number after each change, for `useSyncExternalStore`. */
  version: () => number;
}

export function createPendingChanges<P extends object>(): PendingChanges<P> {
  const listeners = new Set<() => void>();
  let pending: Pending<P>[] = [];
  let version = 0;
  const set = (next: Pending<P>[]): void => {
    pending = next;
    version += 1;
    for (const listener of listeners) listener();
  };
  return {
    begin: (ids, patch) => {
      const change = { ids: new Set(ids), patch };
      set([...pending, change]);
      return () => set(pending.filter((other) => other !== change));
    },
    over: (record) => {
      const mine = pending.filter(({ ids }) => ids.has(record._id));
      return mine.length > 0 ? Object.assign({}, record, ...mine.map(({ patch }) => patch)) : record;
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    version: () => version,
  };
}

/** Records with the pending changes over them; the same array while neither changes. */
export function useWithPending<P extends object, R extends { _id: string }>(
  changes: PendingChanges<P>,
  records: readonly R[],
): readonly R[] {
  const version = useSyncExternalStore(changes.subscribe, changes.version);
  const last = useRef<{ version: number; records: readonly R[]; result: readonly R[] } | null>(null);
  const compute = useCallback(() => records.map((record) => changes.over(record)), [changes, records]);
  if (last.current?.version !== version || last.current.records !== records) {
    last.current = { version, records, result: compute() };
  }
  return last.current.result;
}
