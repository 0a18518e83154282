import { listActivity } from '@selvage/core/contracts/account';
import { Pagination } from '../../../components/list/Pagination.tsx';
import { RecordList, RecordRow } from '../../../components/list/RecordList.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { useListQuery } from '../../../hooks/use-list-query.ts';
import { useListState } from '../../../hooks/use-list-state.ts';
import { activityInWords } from '../../../lib/activity-words.ts';
import { fullDate } from '../../../lib/format.ts';
import { useWords } from '../../../lib/i18n.ts';
import { securityWords } from '../../../words/security.ts';
import { accountKeys } from '../queries.ts';

const SIZES = [5, 10, 25] as const;

/** What happened to the account, so that the person notices what an attacker did. */
export function ActivitySection() {
  const t = useWords(securityWords);
  const list = useListState({ name: 'activity', sizes: SIZES, defaultSize: 10 });
  const { data, error, refetch, totalPages } = useListQuery(listActivity, accountKeys.activity, list);
  const total = data?.pagination.totalData ?? 0;
  return (
    <Section title={t.activity} hint={t.activityHint}>
      <RecordList
        label={t.activity}
        rows={data?.rows}
        error={error}
        empty={t.activityNone}
        onRetry={() => void refetch()}
        renderRow={(event) => (
          <RecordRow
            key={event._id}
            title={activityInWords(event.action)}
            details={[fullDate(event.createdAt), ...(event.ip ? [t.activityFrom({ ip: event.ip })] : [])]}
          />
        )}
      />
      {total > SIZES[0] && <Pagination list={list} total={total} totalPages={totalPages} />}
    </Section>
  );
}
