import { useQuery } from '@tanstack/react-query';
import { useSearchParams } from 'react-router-dom';
import { Pagination } from '../../../components/list/Pagination.tsx';
import { fullDate } from '../../../lib/format.ts';
import { activityPageSizes, activityQuery } from '../queries.ts';
import { RecordList, RecordRow } from '../../../components/list/RecordList.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { activityInWords } from './activity-words.ts';

const FIRST_SIZE = 10;

function wholeNumber(text: string | null, fallback: number): number {
  const number = Number(text);
  return Number.isInteger(number) && number > 0 ? number : fallback;
}

/** What happened to the account, so that somebody else's doing is noticed. */
export function ActivitySection() {
  const [search, setSearch] = useSearchParams();
  const page = wholeNumber(search.get('activityPage'), 1);
  const wanted = wholeNumber(search.get('activityRows'), FIRST_SIZE);
  const limit = activityPageSizes.find((size) => size === wanted) ?? FIRST_SIZE;
  const { data, error, refetch } = useQuery(activityQuery(page, limit));
  const goTo = (nextPage: number, nextLimit: number = limit): void => {
    setSearch(
      (old) => {
        old.set('activityPage', String(nextPage));
        old.set('activityRows', String(nextLimit));
        return old;
      },
      { replace: true },
    );
  };
  const pagination = data?.pagination;
  return (
    <Section title="Recent activity" hint="If you don’t know something here, change your password.">
      <RecordList
        label="Recent activity"
        rows={data?.rows}
        error={error}
        empty="Nothing has happened yet."
        onRetry={() => void refetch()}
        renderRow={(event) => (
          <RecordRow
            key={event._id}
            title={activityInWords(event.action)}
            details={[fullDate(event.createdAt), ...(event.ip ? [`from ${event.ip}`] : [])]}
          />
        )}
      />
      {pagination && pagination.totalData > activityPageSizes[0] && (
        <Pagination
          page={page}
          limit={limit}
          total={pagination.totalData}
          totalPages={pagination.totalPages}
          sizes={activityPageSizes}
          onChange={goTo}
        />
      )}
    </Section>
  );
}
