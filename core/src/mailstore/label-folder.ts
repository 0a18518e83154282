import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { lockLabels, requireLabels, writeLabels } from './change-labels.ts';
import { type FolderOfPerson, type FolderProgress, walkFolder } from './walk-folder.ts';

interface FolderLabelling extends FolderOfPerson {
  labelId: string;
  /** Adds the label, or removes it. */
  isOn: boolean;
  /** Only entries with a lower UID are changed, as for `walkFolder`. */
  until: string;
}

/**
 * Adds a label to all entries of a folder below a UID, or removes it, for some seconds at most.
 * @returns the ids of the entries that it has changed
 * @throws AppError 403 when the actor may not change what is in the folder; 404 when the person has
 *   made no such folder or label
 */
export async function labelFolder(
  ctx: Ctx,
  { labelId, isOn, ...place }: FolderLabelling,
): Promise<FolderProgress<string>> {
  const { userId } = place;
  const change = isOn ? { add: [labelId], remove: [] } : { add: [], remove: [labelId] };
  await requireLabels(ctx, userId, change);
  return await walkFolder(ctx, {
    ...place,
    action: 'edit',
    choose: async (entries) => {
      const ids = entries.map(({ id }) => id);
      const having = await findLabelled(ctx, labelId, ids);
      return entries.filter(({ id }) => having.has(id) !== isOn);
    },
    change: async (tx, entries) => {
      const touched = await writeLabels(tx, entries, change, () => lockLabels(tx, userId, change));
      return touched.get(labelId) ?? [];
    },
  });
}

async function findLabelled(ctx: Ctx, labelId: string, entryIds: readonly string[]): Promise<Set<string>> {
  if (entryIds.length === 0) return new Set();
  const statement = 'SELECT entry_id AS entryId FROM entry_labels WHERE label_id = ? AND entry_id IN (?)';
  const rows = await readRows<{ entryId: string }>(ctx, statement, [labelId, entryIds]);
  return new Set(rows.map(({ entryId }) => String(entryId)));
}
