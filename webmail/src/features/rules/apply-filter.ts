import { markFolder } from '@selvage/core/contracts/mail-folders';
import { applyFilter, countFitting, type FilterDto } from '@selvage/core/contracts/mail-rules';
import { notify } from '../../components/feedback/notify.ts';
import { changesMade } from '../../hooks/use-action.ts';
import { api } from '../../lib/api.ts';

/** The messages in the inbox that a saved filter matches. */
export interface Fitting {
  filter: FilterDto;
  /** Mail that arrives after this mark is left out. */
  until: string;
  count: number;
  /** The inbox is so large that only its newer part was counted. */
  isMore: boolean;
}

/** How far the filter has come in the inbox. */
export interface ApplyProgress {
  changed: number;
  /** Where the next call goes on; null at the end. */
  until: string | null;
}

/** Each call takes two seconds at most, and the person waits for the answer. */
const MOST_CALLS = 4;

/**
 * Counts the messages in the inbox that a filter matches. Null when it matches none, when it does
 * nothing to mail that is already there, or when the count failed.
 */
export async function findFitting(filter: FilterDto): Promise<Fitting | null> {
  const { forward: _forward, stop: _stop, ...done } = filter.actions;
  if (!filter.is_on || !Object.values(done).some(Boolean)) return null;
  try {
    await changesMade();
    const { until } = await api(markFolder, { query: { folder: 'inbox' } });
    const found = { count: 0, until, isMore: true };
    for (let call = 0; call < MOST_CALLS && found.isMore; call += 1) {
      const body = { conditions: filter.conditions, until: found.until };
      const answer = await api(countFitting, { body });
      Object.assign(found, { count: found.count + answer.fitting, until: answer.until, isMore: answer.is_left });
    }
    return found.count === 0 && !found.isMore ? null : { filter, until, count: found.count, isMore: found.isMore };
  } catch (error) {
    notify.error(error);
    return null;
  }
}

/** Makes the next part of the change. */
export async function applyPart(
  { filter }: Fitting,
  { changed, until }: ApplyProgress & { until: string },
  as: string | null,
): Promise<ApplyProgress> {
  const answer = await api(applyFilter, { params: { id: filter._id }, body: { until }, as });
  return { changed: changed + answer.changed, until: answer.is_left ? answer.until : null };
}
