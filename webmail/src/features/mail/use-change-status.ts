import type { EmailRowDto } from '@selvage/core/contracts/email';
import { changeStatus } from '@selvage/core/contracts/mail-folders';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type ActionOptions, useAction } from '../../hooks/use-action.ts';
import type { ListPage } from '../../hooks/use-list-query.ts';
import { api } from '../../lib/api.ts';
import { untilNoneIsLeft } from '../../lib/changed-in-part.ts';
import { forgetWithPerson } from '../../lib/forget.ts';
import { wordsOf } from '../../lib/i18n.ts';
import { inParts } from '../../lib/in-parts.ts';
import { loadModule } from '../../lib/load-module.ts';
import { expectNotice } from '../../lib/own-changes.ts';
import { createPendingChanges } from '../../lib/pending-changes.ts';
import { mailActionWords } from '../../words/mail-list.ts';
import { ownFolderWords } from '../../words/own-folders.ts';
import { mailKeys } from './keys.ts';
import { outdateOthers, patchMessages } from './loaded-messages.ts';
import { moveBack, type MovedFrom, type MovePatch, moveRows, moveThreads } from './own-folders/move-calls.ts';
import { totalsQuery } from './queries.ts';
import { timeInWords } from './time-in-words.ts';
import { setSnooze, setSnoozeOfThreads, type Slept, takeBackSnooze } from './snooze-calls.ts';
import { useMayChange } from './use-may-change.ts';

type Flag = 'read_status' | 'star_status' | 'archive_status' | 'trash_status' | 'junk_status' | 'snoozed_status';
/**
 * Flags alone, `snoozed_status` with its time, or a move to or from one of the person's own
 * folders.
 */
export type StatusPatch = Partial<Pick<EmailRowDto, Flag | 'snoozed_until' | 'own_folder'>>;

/** Flags that the server has not confirmed yet; lists and the open message show them already. */
export const pendingStatus = createPendingChanges<StatusPatch>();

/** The latest flags that the server has confirmed, by message. The oldest are forgotten. */
const confirmed = new Map<string, StatusPatch>();
const MOST_CONFIRMED = 1000;
forgetWithPerson(() => confirmed.clear());

/** A row that was loaded earlier, with the flags that this window has set since. */
export function withConfirmed<R extends { _id: string }>(row: R): R {
  const patch = confirmed.get(row._id);
  return patch ? { ...row, ...patch } : row;
}

/**
 * Whether this window has moved the message to its place, as Undo does: such a message is no new
 * one. A message whose snooze has ended counts as new, because the host has moved it.
 */
export function wasPutHere({ _id, snoozed_status }: Pick<EmailRowDto, '_id' | 'snoozed_status'>): boolean {
  const patch = confirmed.get(_id);
  return patch !== undefined && !(patch.snoozed_status && !snoozed_status);
}

export function noteConfirmed(id: string, patch: StatusPatch): void {
  const known = confirmed.get(id);
  confirmed.delete(id);
  confirmed.set(id, { ...known, ...patch });
  const [oldest] = confirmed.keys();
  if (confirmed.size > MOST_CONFIRMED && oldest !== undefined) confirmed.delete(oldest);
}

/** Writes a patch into a message; the same message if it has all of it. */
function withPatch<R extends { _id: string }>(row: R, patch: StatusPatch): R {
  const now: Record<string, unknown> = { ...row };
  return Object.entries(patch).every(([name, value]) => now[name] === value) ? row : { ...row, ...patch };
}

function commit(client: QueryClient, ids: ReadonlySet<string>, patch: StatusPatch): void {
  client.setQueriesData<ListPage<EmailRowDto>>(
    { queryKey: mailKeys.lists },
    (page) => page && { ...page, rows: page.rows.map((row) => (ids.has(row._id) ? withPatch(row, patch) : row)) },
  );
  for (const id of ids) noteConfirmed(id, patch);
  patchMessages(client, ids, (row) => withPatch(row, patch));
  // A restored message is again among the others of its conversation
  if (patch.trash_status === false) void client.invalidateQueries({ queryKey: mailKeys.details });
}

/** Whether a patch is a move, which sets the folder and all flags that would lead elsewhere. */
function isMove(patch: StatusPatch): patch is MovePatch {
  return patch.own_folder !== undefined;
}

async function setFlags(ids: string[], patch: StatusPatch, as: string | null): Promise<void> {
  if (isMove(patch)) return await moveRows(ids, patch, as);
  if (patch.snoozed_until !== undefined) return await setSnooze(ids, patch.snoozed_until, as);
  await inParts(ids, async (part) => {
    const forget = expectNotice();
    try {
      await api(changeStatus, { body: { email_id: part, ...patch }, as });
    } catch (error) {
      forget();
      throw error;
    }
  });
}

type ThreadAnswer = { touched: string[] } | { slept: Slept[] } | { moved: MovedFrom };

/** Sets flags on the conversations that rows stand for. Returns the changed messages. */
async function setFlagsOfThreads(ids: string[], patch: StatusPatch, as: string | null): Promise<ThreadAnswer> {
  if (isMove(patch)) return await moveThreads(ids, patch, as);
  if (patch.snoozed_until !== undefined) return await setSnoozeOfThreads(ids, patch.snoozed_until, as);
  const touched: string[] = [];
  return await untilNoneIsLeft({ touched }, touched, async () => {
    const forget = expectNotice();
    try {
      const answer = await api(changeStatus, { body: { email_id: ids, ...patch, whole_threads: true }, as });
      // The server announces no change that changes nothing
      if (answer.touched?.length === 0) forget();
      touched.push(...(answer.touched ?? []));
      return { isLeft: answer.is_left };
    } catch (error) {
      forget();
      throw error;
    }
  });
}

/** Takes the change of one flag back. All changed messages had the other value before. */
async function takeBackThreads(answer: unknown, patch: StatusPatch, as: string | null): Promise<void> {
  const changed = answer as ThreadAnswer;
  if ('slept' in changed) return await takeBackSnooze(changed.slept, as);
  if ('moved' in changed) return await moveBack(changed.moved, as);
  const { touched } = changed;
  const before = Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, !value]));
  await setFlags(touched, before, as);
}

// A change of flags changes nothing else of an open message, so it is loaded again only if an
// answer is on its way, or if others of its conversation were changed on the server alone
const options: ActionOptions<StatusPatch> = {
  changes: pendingStatus,
  call: setFlags,
  commit,
  stale: [mailKeys.lists, mailKeys.totals],
};

const threadOptions: ActionOptions<StatusPatch> = {
  ...options,
  call: setFlagsOfThreads,
  commit: (client, ids, patch) => {
    commit(client, ids, patch);
    outdateOthers(client, ids, (row) => withPatch(row, patch));
  },
  takeBack: takeBackThreads,
};

/** A row of a list, an open message, or another one of its conversation. */
type Changeable = Pick<
  EmailRowDto,
  '_id' | Flag | 'snoozed_until' | 'own_folder' | 'delete_status' | 'send_status' | 'received_status'
> & {
  thread?: EmailRowDto['thread'];
  placement?: EmailRowDto['placement'];
};

interface StatusChange<R> {
  records: readonly R[];
  patch: StatusPatch;
  /**
   * Set when each record stands for its conversation in its folder: the number of messages in all.
   */
  wholeOf?: number;
  /** The records that stand for their conversations. The others are changed only on the screen. */
  ends?: readonly R[];
  /** Whether a toast with Undo says what was done; otherwise the change is silent. */
  isSaid?: boolean;
}

/**
 * Sets flags on messages: at once on the screen, then on the server, with Undo where something is
 * said. Messages that the person may not change are skipped, and the toast does not count them.
 */
export function useChangeStatus() {
  const change = useAction(options);
  const changeThreads = useAction(threadOptions);
  const mayChange = useMayChange();
  const client = useQueryClient();
  return useCallback(
    <R extends Changeable>({ records, patch, wholeOf, ends, isSaid = false }: StatusChange<R>): Promise<boolean> => {
      // A star marks the newest message of a conversation; only its removal reaches the others. The
      // row of one that has a star does not say which message has it, so it gets no other
      const isAlone = patch.star_status;
      const changed = records.filter((one) => mayChange(one) && !(isAlone && one.thread && one.star_status));
      const number = wholeOf ?? changed.reduce((sum, { thread }) => sum + ((!isAlone && thread?.count) || 1), 0);
      const named = ends?.filter(mayChange).map(({ _id }) => _id);
      const isGrouped = wholeOf !== undefined || !!named || (!isAlone && changed.some(({ thread }) => thread));
      const act = isGrouped ? changeThreads : change;
      if (patch.junk_status === false) offerUnblock(client, changed);
      return act({ records: changed, patch, named, ...(isSaid && { said: saidOf(client, patch, number) }) });
    },
    [change, changeThreads, client, mayChange],
  );
}

/** Offers to unblock the senders of messages that the person has taken out of Junk. */
function offerUnblock(client: QueryClient, records: readonly Pick<Changeable, 'placement'>[]): void {
  const addresses = records.flatMap(({ placement }) => (placement?.by === 'blocked' ? [placement.name] : []));
  if (addresses.length === 0) return;
  const load = loadModule(() => import('../rules/offer-unblock.ts'));
  // Without this offer, the messages are still out of Junk
  void load.then((m) => m.offerUnblock(client, new Set(addresses))).catch(() => undefined);
}

/** The words of the toast after a change of flags. */
function saidOf(client: QueryClient, patch: StatusPatch, number: number): string {
  const t = wordsOf(mailActionWords);
  if (isMove(patch) && !patch.archive_status) {
    const to = client.getQueryData(totalsQuery.queryKey)?.own_folders.find(({ _id }) => _id === patch.own_folder);
    return to ? wordsOf(ownFolderWords).movedTo({ name: to.name }) : wordsOf(ownFolderWords).movedOut(number);
  }
  if (patch.archive_status !== undefined) return patch.archive_status ? t.archived(number) : t.unArchived(number);
  if (patch.trash_status !== undefined) return patch.trash_status ? t.trashed(number) : t.restored(number);
  if (patch.star_status !== undefined) return patch.star_status ? t.starred(number) : t.unstarred(number);
  if (patch.snoozed_until) return t.snoozed({ when: timeInWords(new Date(patch.snoozed_until)) });
  if (patch.snoozed_status === false) return t.awake(number);
  if (patch.junk_status !== undefined) return patch.junk_status ? t.junked(number) : t.unJunked(number);
  return patch.read_status ? t.read(number) : t.unreadAgain(number);
}
