import { getImportProgress } from '@selvage/core/contracts/many-users';
import { Field, ProgressBar } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { manyUserWords } from '../../words/many-users.ts';

const ASK_EVERY_MS = 500;

/** How far an import is. Before it has begun to add users, the bar shows no length. */
export function ImportProgress({ importId, people }: { importId: string; people: number }) {
  const t = useWords(manyUserWords);
  const { data } = useQuery({
    queryKey: ['import-progress', importId],
    queryFn: ({ signal }) => api(getImportProgress, { params: { import_id: importId }, signal }),
    refetchInterval: ASK_EVERY_MS,
    retry: false,
  });
  const done = data?.done ?? 0;
  return (
    <Field validationState="none" validationMessage={t.progress({ done, people })}>
      <ProgressBar aria-label={t.adding} {...(data ? { value: done, max: people } : {})} />
    </Field>
  );
}
