import { hashKey, type QueryClient, type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { notify } from '../components/feedback/notify.ts';
import { ChangedInPart } from '../lib/changed-in-part.ts';
import { messageOf } from '../lib/api-error.ts';
import { wordsOf } from '../lib/i18n.ts';
import type { PendingChanges } from '../lib/pending-changes.ts';
import { currentSubject } from '../lib/session.ts';
import { addUnsavedWork } from '../lib/unsaved-work.ts';
import { actionWords } from '../words/actions.ts';

/** A kind of change that shows at once and is made on the server behind it. */
export interface ActionOptions<P extends object> {
  changes: PendingChanges<P>;
  /**
   * Asks the server to set the patch on all of the records, in calls of the person `as`. They may
   * wait for their turn, and by then another person may have logged in.
   */
  call: (ids: string[], patch: P, as: string | null) => Promise<unknown>;
  /**
   * For records that each stand for several records on the server, such as conversations: restores
   * the former values of all of them, from the answer of `call`, or of a `ChangedInPart` that it
   * threw.
   */
  takeBack?: (answer: unknown, patch: P, as: string | null) => Promise<unknown>;
  /** Writes into the cache what the server has confirmed. */
  commit: (client: QueryClient, ids: ReadonlySet<string>, patch: P) => void;
  /** Queries that are fetched again once nothing is under way any more. */
  stale: readonly QueryKey[];
}

/** One change: the records and their new values. */
interface Act<P extends object, R extends P & { _id: string }> {
  records: readonly R[];
  patch: P;
  /** The ids that stand for all records in the call, such as conversations; else all are sent. */
  named?: readonly string[] | undefined;
  /** Said in a toast with Undo; without it the change is silent. */
  said?: string;
}

/** Some records, by their ids, and their new values. */
interface Part<P extends object> {
  ids: string[];
  patch: P;
}

/**
 * A queue: changes reach the server in the order in which they were made, whichever screen made
 * them.
 */
let last: Promise<unknown> = Promise.resolve();
let underWay = 0;
/** Changes that don't wait in the queue, and those whose Undo waits for their answer. */
let others: Promise<unknown> = Promise.resolve();
/**
 * Queries to fetch again once no change is under way. All kinds of changes share the list, because
 * a change that ends later cancels queries that an earlier one has begun.
 */
const stale = new Map<string, QueryKey>();

/**
 * Has the browser ask before the page is left, until the returned function is called. A call that
 * was sent is finished without the page; one that waits for its turn would never be made, although
 * the screen shows it as done.
 */
export function holdPage(): () => void {
  return addUnsavedWork({ name: wordsOf(actionWords).waiting, survivesNavigation: true });
}

/** Lets `changesMade` wait for a change that is not in the queue. */
export function noteChange<T>(change: Promise<T>): Promise<T> {
  others = Promise.allSettled([others, change]);
  return change;
}

/**
 * Waits until all changes that were begun before, and what was taken back of them, have had their
 * answer. Work on a whole folder must find it as the person sees it: a message that is out of the
 * trash on the screen alone would be deleted with the rest.
 */
export async function changesMade(): Promise<void> {
  // An Undo begins its own change as soon as it has the answer, before this goes on
  await others;
  await last;
}

/**
 * Does the work of the person `as` after all work that was begun before it. It fails if that person
 * has left by then.
 */
function inOrder<T>(as: string | null, work: () => Promise<T>): Promise<T> {
  const letGo = underWay > 1 ? holdPage() : undefined;
  const done = last.then(() => {
    letGo?.();
    if (currentSubject() !== as) throw new Error('The person has left before their change was made');
    return work();
  });
  last = done.catch(() => undefined);
  return done;
}

function endChange(client: QueryClient, queryKeys: readonly QueryKey[]): void {
  for (const queryKey of queryKeys) stale.set(hashKey(queryKey), queryKey);
  underWay -= 1;
  if (underWay > 0) return;
  for (const queryKey of stale.values()) void client.invalidateQueries({ queryKey });
  stale.clear();
}

/**
 * Makes changes that show at once. Several may be under way: each is confirmed, or taken back with
 * a toast that says why, without touching the others. Undo gives every record the values back that
 * it had.
 */
export function useAction<P extends object>(options: ActionOptions<P>) {
  const client = useQueryClient();
  return useMemo(() => {
    /**
     * Makes one call for all of the parts: they are confirmed together, or none is. A failure is
     * told to the person it is about, and not to the next one.
     * @param undoOf what to offer beside the words of a failure, for what the person has no other
     *   button for; undefined for nothing
     * @returns what the server answered; undefined when it failed
     */
    const change = async (
      as: string | null,
      parts: readonly Part<P>[],
      call: () => Promise<unknown>,
      undoOf?: (error: unknown) => (() => void) | undefined,
    ): Promise<unknown> => {
      const ends = parts.map(({ ids, patch }) => options.changes.begin(ids, patch));
      underWay += 1;
      try {
        const answer = await inOrder(as, call);
        // An answer that was on its way before the change must not overwrite it
        await Promise.all(options.stale.map((queryKey) => client.cancelQueries({ queryKey })));
        for (const { ids, patch } of parts) options.commit(client, new Set(ids), patch);
        return answer ?? null;
      } catch (error) {
        const reason = error instanceof ChangedInPart ? error.cause : error;
        if (currentSubject() === as) sayFailed(reason, undoOf?.(error));
        return undefined;
      } finally {
        for (const end of ends) end();
        endChange(client, options.stale);
      }
    };
    const { takeBack } = options;
    /** Gives some records back what they had. */
    const restore = (as: string | null, parts: readonly Part<P>[], call: () => Promise<unknown>): Promise<unknown> =>
      change(as, parts, call, () => () => void restore(as, parts, call));
    /** @returns whether the server has made it */
    return async <R extends P & { _id: string }>({ records, patch, named, said }: Act<P, R>): Promise<boolean> => {
      if (records.length === 0) return false;
      const as = currentSubject();
      const before = groupByValues(records, patch);
      let answerInPart: unknown;
      const undo = async (): Promise<void> => {
        if (!takeBack) {
          for (const part of before) void restore(as, [part], () => options.call(part.ids, part.patch, as));
          return;
        }
        const letGo = holdPage();
        const answer = (await noteChange(done)) ?? answerInPart;
        // It may take several calls, of which the later ones would never be made without the page
        if (answer !== undefined) await restore(as, before, () => takeBack(answer, patch, as));
        letGo();
      };
      /** What was changed before a failure can be taken back. */
      const undoOfPart = (error: unknown): (() => void) | undefined => {
        if (!takeBack || !said || !(error instanceof ChangedInPart)) return undefined;
        answerInPart = error.answer;
        return () => void restore(as, before, () => takeBack(error.answer, patch, as));
      };
      const ids = records.map((record) => record._id);
      const call = () => options.call(named ? [...named] : ids, patch, as);
      const done = change(as, [{ ids, patch }], call, undoOfPart);
      // At once: the person has already seen it happen
      if (said) notify.success(said, { label: wordsOf(actionWords).undo, run: () => void undo(), isUndo: true });
      return (await done) !== undefined;
    };
  }, [client, options]);
}

/**
 * Says why a change failed, to the person who made it and is still logged in. An Undo that failed
 * is offered again, and so is that of a change that was made in part: the toast that offered it
 * first is gone, or says that all was changed.
 */
export function sayFailed(error: unknown, undo: (() => void) | undefined): void {
  if (!undo) return notify.error(error);
  notify.failure(messageOf(error), { label: wordsOf(actionWords).undo, run: undo, isUndo: true });
}

/** What the records had where the patch changes them, with those of equal values together. */
function groupByValues<P extends object, R extends P & { _id: string }>(records: readonly R[], patch: P): Part<P>[] {
  const names = Object.keys(patch) as (keyof P & string)[];
  const groups = new Map<string, Part<P>>();
  for (const record of records) {
    const values = Object.fromEntries(names.map((name) => [name, record[name]])) as P;
    const key = JSON.stringify(values);
    const group = groups.get(key) ?? { ids: [], patch: values };
    group.ids.push(record._id);
    groups.set(key, group);
  }
  return [...groups.values()];
}
