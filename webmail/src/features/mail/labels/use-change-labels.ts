import type { EmailRowDto } from '@selvage/core/contracts/email';
import { changeLabels, type LabelDto } from '@selvage/core/contracts/labels';
import { type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { type ActionOptions, useAction } from '../../../hooks/use-action.ts';
import type { ListPage } from '../../../hooks/use-list-query.ts';
import { api } from '../../../lib/api.ts';
import { untilNoneIsLeft } from '../../../lib/changed-in-part.ts';
import { wordsOf } from '../../../lib/i18n.ts';
import { inParts } from '../../../lib/in-parts.ts';
import { expectNotice } from '../../../lib/own-changes.ts';
import { labelWords } from '../../../words/labels.ts';
import { mailKeys } from '../keys.ts';
import { outdateOthers, patchMessages } from '../loaded-messages.ts';
import { noteConfirmed, pendingStatus } from '../use-change-status.ts';
import { useMayChange } from '../use-may-change.ts';
import { labelFlag, labelOfFlag, labelsOf, type LabelPatch, withLabels } from './row-labels.ts';

/** Puts labels on a message, or takes them off; the same message if nothing changes. */
function withPatch<R extends { labels: string[] }>(row: R, patch: LabelPatch): R {
  const labels = withLabels(row.labels, patch);
  return labels === row.labels ? row : { ...row, labels: [...labels] };
}

function commit(client: QueryClient, ids: ReadonlySet<string>, patch: LabelPatch): void {
  const patched = (row: EmailRowDto): EmailRowDto =>
    ids.has(row._id) && 'labels' in row ? withPatch(row, patch) : row;
  client.setQueriesData<ListPage<EmailRowDto>>(
    { queryKey: mailKeys.lists },
    (page) => page && { ...page, rows: page.rows.map(patched) },
  );
  for (const id of ids) noteConfirmed(id, patch);
  patchMessages(client, ids, (row) => withPatch(row, patch));
}

interface Asked {
  ids: string[];
  patch: LabelPatch;
  isWhole: boolean;
  as: string | null;
}

/** The messages that had the label otherwise before. */
async function askFor({ ids, patch, isWhole, as }: Asked): Promise<string[]> {
  const chosen = (wanted: boolean) =>
    Object.entries(patch).flatMap(([name, isOn]) => (isOn === wanted ? (labelOfFlag(name) ?? []) : []));
  const touched: string[] = [];
  return await untilNoneIsLeft(touched, touched, async () => {
    const forget = expectNotice();
    try {
      const body = { email_id: ids, add: chosen(true), remove: chosen(false), ...(isWhole && { whole_threads: true }) };
      const answer = await api(changeLabels, { body, as });
      // The server announces no change that changes nothing
      if (answer.changed === 0) forget();
      touched.push(...answer.touched.flatMap(({ email_ids }) => email_ids));
      return { isLeft: answer.is_left };
    } catch (error) {
      forget();
      throw error;
    }
  });
}

async function setLabels(ids: string[], patch: LabelPatch, as: string | null): Promise<void> {
  await inParts(ids, (part) => askFor({ ids: part, patch, isWhole: false, as }));
}

const options: ActionOptions<LabelPatch> = {
  // Lists and the open message show these changes over the loaded values
  changes: pendingStatus,
  call: setLabels,
  commit,
  stale: [mailKeys.lists, mailKeys.totals],
};

const threadOptions: ActionOptions<LabelPatch> = {
  ...options,
  call: (ids, patch, as) => askFor({ ids, patch, isWhole: true, as }),
  commit: (client, ids, patch) => {
    commit(client, ids, patch);
    outdateOthers(client, ids, (row) => withPatch(row, patch));
  },
  takeBack: async (answer, patch, as) => {
    const before = Object.fromEntries(Object.entries(patch).map(([name, isOn]) => [name, !isOn]));
    await setLabels(answer as string[], before, as);
  },
};

/** A row of a list, an open message, or another one of its conversation. */
export type Labelled = Pick<EmailRowDto, '_id' | 'labels'> &
  Parameters<ReturnType<typeof useMayChange>>[0] & {
    thread?: EmailRowDto['thread'];
    /**
     * The record stands for all older messages of its conversation in its folder. The server is
     * sent only such records.
     */
    isEnd?: boolean;
  };

/** A message with its value of the flag of a label, which Undo gives back. */
function valuesOf(record: Labelled, labelId: string): LabelPatch & { _id: string } {
  const value = { [labelFlag(labelId)]: labelsOf(record).includes(labelId) };
  return { ...value, _id: record._id };
}

interface LabelChange {
  records: readonly Labelled[];
  label: Pick<LabelDto, '_id' | 'name'>;
  isOn: boolean;
}

/**
 * Puts a label on messages, or takes it off: at once on the screen, then on the server, with Undo.
 * Messages that the person may not change are skipped. Resolves to whether the server has made the
 * change.
 */
export function useChangeLabels(): (change: LabelChange) => Promise<boolean> {
  const change = useAction(options);
  const changeThreads = useAction(threadOptions);
  const mayChange = useMayChange();
  return useCallback(
    ({ records, label, isOn }) => {
      const flag = labelFlag(label._id);
      const changed = records.filter(mayChange);
      const ends = changed.filter(({ thread, isEnd }) => thread || isEnd);
      const act = ends.length > 0 ? changeThreads : change;
      const t = wordsOf(labelWords);
      return act({
        records: changed.map((record) => valuesOf(record, label._id)),
        patch: { [flag]: isOn },
        named: ends.length > 0 ? ends.map(({ _id }) => _id) : undefined,
        said: (isOn ? t.added : t.takenOff)({ name: label.name }),
      });
    },
    [change, changeThreads, mayChange],
  );
}
