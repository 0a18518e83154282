import type { LabelDto } from '@selvage/core/contracts/labels';
import { useQuery } from '@tanstack/react-query';
import { totalsQuery } from '../queries.ts';

const none: LabelDto[] = [];

/** The labels of the person, by name; they come with the totals of the folders. */
export function useLabels(): LabelDto[] {
  return useQuery(totalsQuery).data?.labels ?? none;
}

/** The labels with these ids, in the order of the person's labels. */
export function useLabelsOf(ids: readonly string[]): LabelDto[] {
  const labels = useLabels();
  return ids.length === 0 ? none : labels.filter(({ _id }) => ids.includes(_id));
}
