import { type DomainChangeDto, listDomainChanges } from '@selvage/core/contracts/domain-guard';
import type { DomainDetailDto } from '@selvage/core/contracts/domains';
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { infiniteQueryOptions, useInfiniteQuery } from '@tanstack/react-query';
import { RecordList } from '../../components/list/RecordList.tsx';
import { Section } from '../../components/page/Section.tsx';
import { type StateKind, StateWord } from '../../components/StateWord.tsx';
import { apiPage } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { fullDate, fullDay } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { domainsKey, recordKey } from '../../lib/record-keys.ts';
import { domainGuardWords } from '../../words/domain-guard.ts';

const PAGE_SIZE = 20;

const useStyles = makeStyles({
  entry: {
    display: 'grid',
    gap: tokens.spacingVerticalXS,
    padding: `${tokens.spacingVerticalM} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    ':first-child': { borderTopStyle: 'none' },
  },
  title: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  quiet: { color: tokens.colorNeutralForeground2 },
  difference: {
    display: 'grid',
    gridTemplateColumns: 'max-content minmax(0, 1fr)',
    columnGap: tokens.spacingHorizontalM,
    margin: 0,
  },
  records: { margin: 0, whiteSpace: 'pre-wrap', overflowWrap: 'anywhere', fontFamily: tokens.fontFamilyMonospace },
  more: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
});

const historyQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: [...recordKey(domainsKey, id), 'history'],
    queryFn: ({ pageParam, signal }) =>
      apiPage(listDomainChanges, { params: { id }, query: { page: pageParam, limit: PAGE_SIZE }, signal }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { totalPages } }, _pages, page) => (page < totalPages ? page + 1 : undefined),
  });

/** What has happened to the DNS of a domain, the latest first. */
export function HistoryTab({ domain }: { domain: DomainDetailDto }) {
  const styles = useStyles();
  const t = useWords(domainGuardWords);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, isFetchNextPageError, fetchNextPage } =
    useInfiniteQuery(historyQuery(domain._id));
  return (
    <Section title={t.history} hint={t.historyHint}>
      <RecordList
        label={t.history}
        rows={data?.pages.flatMap(({ rows }) => rows)}
        error={error}
        empty={t.noHistory}
        onRetry={() => void refetch()}
        renderRow={(change) => <Entry key={change._id} change={change} />}
      />
      {hasNextPage && (
        <div className={styles.more}>
          <Button disabledFocusable={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t.older}
          </Button>
          {isFetchNextPageError && <Text role="alert">{messageOf(error)}</Text>}
        </div>
      )}
    </Section>
  );
}

const kinds: Record<DomainChangeDto['kind'], StateKind> = {
  changed: 'quiet',
  broken: 'bad',
  mended: 'good',
  expiring: 'held',
};

function Entry({ change: { part, kind, before, after, createdAt } }: { change: DomainChangeDto }) {
  const styles = useStyles();
  const t = useWords(domainGuardWords);
  return (
    <li className={styles.entry}>
      <span className={styles.title}>
        <Text weight="semibold">{t[part]}</Text>
        <StateWord kind={kinds[kind]}>{t[kind]}</StateWord>
        <Text size={200} className={styles.quiet}>
          <time dateTime={createdAt}>{fullDate(createdAt)}</time>
        </Text>
      </span>
      {kind === 'changed' ? (
        <dl className={styles.difference}>
          <dt className={styles.quiet}>{t.before}</dt>
          <dd className={styles.records}>{before ?? t.noRecords}</dd>
          <dt className={styles.quiet}>{t.after}</dt>
          <dd className={styles.records}>{after ?? t.noRecords}</dd>
        </dl>
      ) : (
        <span>{kind === 'expiring' ? t.expires({ day: fullDay(`${after ?? ''}T00:00:00`) }) : after}</span>
      )}
    </li>
  );
}
