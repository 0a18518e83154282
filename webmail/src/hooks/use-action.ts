import { type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { notify } from '../components/feedback/notify.ts';
import { wordsOf } from '../lib/i18n.ts';
import type { PendingChanges } from '../lib/pending-changes.ts';
import { actionWords } from '../words/actions.ts';

/** A kind of change that shows at once and is made on the server behind it. */
export interface ActionOptions<P extends object> {
  changes: PendingChanges<P>;
  /** Asks the server to set the patch on all of the records. */
  call: (ids: string[], patch: P) => Promise<unknown>;
  /**
   * For records that stand for several others on the server: gives back what these had before, by
   * the answer of `call`.
   */
  takeBack?: (answer: unknown, patch: P) => Promise<unknown>;
  /** Writes into the cache what the server has confirmed. */
  commit: (client: QueryClient, ids: ReadonlySet<string>, patch: P) => void;
  /** Queries that are fetched again once nothing is under way any more. */
  stale: readonly QueryKey[];
}

/** One change: what becomes of which records. */
interface Act<P extends object, R extends P & { _id: string }> {
  records: readonly R[];
  patch: P;
  /** The ids that the server is told, where the others stand behind them; else those of all. */
  named?: readonly string[] | undefined;
  /** Said in a toast with Undo; without it the change is silent. */
  said?: string;
}

/**
 * A queue: changes reach the server in the order in which they were made, whichever screen made
 * them.
 */
let last: Promise<unknown> = Promise.resolve();
let underWay = 0;

function inOrder<T>(work: () => Promise<T>): Promise<T> {
  const done = last.then(work);
  last = done.catch(() => undefined);
  return done;
}

/**
 * Makes changes that show at once. Several may be under way: each is confirmed, or taken back with
 * a toast that says why, without touching the others. Undo gives every record the values back that
 * it had.
 */
export function useAction<P extends object>(options: ActionOptions<P>) {
  const client = useQueryClient();
  return useMemo(() => {
    /** @returns what the server answered; undefined when it failed */
    const change = async (ids: string[], patch: P, call = () => options.call(ids, patch)): Promise<unknown> => {
      const end = options.changes.begin(ids, patch);
      underWay += 1;
      try {
        const answer = await inOrder(call);
        // an answer that was on its way before the change must not overwrite it
        await Promise.all(options.stale.map((queryKey) => client.cancelQueries({ queryKey })));
        options.commit(client, new Set(ids), patch);
        return answer ?? null;
      } catch (error) {
        notify.error(error);
        return undefined;
      } finally {
        end();
        underWay -= 1;
        if (underWay === 0) for (const queryKey of options.stale) void client.invalidateQueries({ queryKey });
      }
    };
    const { takeBack } = options;
    return async <R extends P & { _id: string }>({ records, patch, named, said }: Act<P, R>): Promise<void> => {
      if (records.length === 0) return;
      const before = groupByValues(records, patch);
      const undo = async (): Promise<void> => {
        const answer = takeBack && (await done);
        if (takeBack && answer === undefined) return;
        for (const [index, group] of before.entries()) {
          // the first call takes all back, the others only show what becomes of their records
          const call = takeBack && (async () => (index === 0 ? await takeBack(answer, patch) : null));
          void change(group.ids, group.patch, call);
        }
      };
      const done = change(
        records.map((record) => record._id),
        patch,
        named && (() => options.call([...named], patch)),
      );
      // at once: the person has already seen it happen
      if (said) notify.success(said, { label: wordsOf(actionWords).undo, run: () => void undo() });
      await done;
    };
  }, [client, options]);
}

/** What the records had where the patch changes them, with those of equal values together. */
function groupByValues<P extends object, R extends P & { _id: string }>(records: readonly R[], patch: P) {
  const names = Object.keys(patch) as (keyof P & string)[];
  const groups = new Map<string, { ids: string[]; patch: P }>();
  for (const record of records) {
    const values = Object.fromEntries(names.map((name) => [name, record[name]])) as P;
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { ids: [], patch: values };
    group.ids.push(record._id);
    groups.set(key, group);
  }
  return [...groups.values()];
}
