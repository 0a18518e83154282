import { changeFolder, changeStatus, type WholeFolder } from '@selvage/core/contracts/mail-folders';
import { changeLabels } from '@selvage/core/contracts/labels';
import { labelFolder, moveFolder } from '@selvage/core/contracts/whole-folders';
import { api } from '../../lib/api.ts';
import { partsOf } from '../../lib/in-parts.ts';
import { moveBack } from './own-folders/move-calls.ts';
import type { StatusPatch } from './use-change-status.ts';
import type { LabelOfWhole, Touched, WholeChoice, WholePatch, WholeProgress } from './whole-folder.ts';

/** How many messages a change has altered. */
export function touchedIn({ touched }: Pick<WholeProgress, 'touched'>): number {
  return touched.reduce((sum, { email_ids }) => sum + email_ids.length, 0);
}

interface Part {
  touched: Touched[];
  seen: number;
  until: string;
  is_left: boolean;
}

async function askPart(
  place: { folder: WholeFolder; until: string },
  patch: WholePatch,
  as: string | null,
): Promise<Part> {
  if ('label' in patch) {
    const body = { ...place, label_id: patch.label._id, is_on: patch.isOn };
    const answer = await api(labelFolder, { body, as });
    return { ...answer, touched: [{ email_ids: answer.touched }] };
  }
  if ('own_folder' in patch && patch.own_folder !== undefined) {
    return await api(moveFolder, { body: { ...place, folder_id: patch.own_folder }, as });
  }
  const answer = await api(changeFolder, { body: { ...place, ...patch }, as });
  return { ...answer, touched: [{ email_ids: answer.touched }] };
}

/** Makes the next part of a change of a folder. */
export async function changePart(
  { choice: { folder }, patch, as }: { choice: WholeChoice; patch: WholePatch; as: string | null },
  { seen, touched, until }: WholeProgress & { until: string },
): Promise<WholeProgress> {
  const answer = await askPart({ folder, until }, patch, as);
  return {
    seen: seen + answer.seen,
    touched: [...touched, ...answer.touched],
    until: answer.is_left ? answer.until : null,
  };
}

/** What a change has altered, in the parts that one call each takes back. */
export function partsToTakeBack(touched: readonly Touched[]): Touched[] {
  return [...Map.groupBy(touched, placeOf).values()].flatMap((own) => {
    const from = own[0]?.from;
    const parts = partsOf(own.flatMap(({ email_ids }) => email_ids));
    return parts.map((email_ids) => ({ ...(from && { from }), email_ids }));
  });
}

/**
 * Restores the former values of the messages that a change has altered. Parts that are done are
 * taken out of `left`. If one place refuses, such as a folder that was deleted meanwhile, the
 * messages of the other places still go back.
 * @throws the first such refusal
 */
export async function takeBackWhole(
  left: Touched[],
  patch: StatusPatch | LabelOfWhole,
  as: string | null,
): Promise<void> {
  const failures = new Map<string, unknown>();
  for (const part of left.slice()) {
    const place = placeOf(part);
    if (failures.has(place)) continue;
    try {
      await takeBackPart(part, patch, as);
      left.splice(left.indexOf(part), 1);
    } catch (error) {
      failures.set(place, error);
    }
  }
  for (const failure of failures.values()) throw failure;
}

/** The place to which messages go back, as text. All that were not moved are alike. */
const placeOf = ({ from }: Touched): string => JSON.stringify(from ?? null);

async function takeBackPart(
  { from, email_ids }: Touched,
  patch: StatusPatch | LabelOfWhole,
  as: string | null,
): Promise<void> {
  if ('label' in patch) {
    const named = [patch.label._id];
    const change = patch.isOn ? { add: [], remove: named } : { add: named, remove: [] };
    await api(changeLabels, { body: { email_id: email_ids, ...change }, as });
    return;
  }
  if (from) return await moveBack([{ from, email_ids }], as);
  const before = Object.fromEntries(Object.entries(patch).map(([name, value]) => [name, !value]));
  await api(changeStatus, { body: { email_id: email_ids, ...before }, as });
}
