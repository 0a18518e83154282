import { makeStyles, mergeClasses } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { ProgressLine } from '../../components/feedback/ProgressLine.tsx';
import { Pagination } from '../../components/list/Pagination.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import type { ListState } from '../../hooks/use-list-state.ts';
import { useShortcuts } from '../../hooks/use-shortcuts.ts';
import { useWords } from '../../lib/i18n.ts';
import { mailListWords } from '../../words/mail-list.ts';
import { ListSkeleton } from './ListSkeleton.tsx';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0, minWidth: 0 },
  rest: { flexGrow: 1, minHeight: 0, overflow: 'hidden', display: 'flex', flexDirection: 'column' },
  scrolls: { overflowY: 'auto' },
});

/** The state of the query for a page of mail. */
interface Answered {
  data: unknown;
  error: Error | null;
  isPlaceholderData: boolean;
  refetch: () => Promise<unknown>;
}

interface Props {
  list: ListState;
  answered: Answered;
  /** Rows on all pages. */
  total: number;
  totalPages: number;
  /** There are no rows on any page. */
  isEmpty: boolean;
  header: ReactNode;
  /** Stands between the heading and the rows. */
  above?: ReactNode;
  /** What a list without rows shows. */
  empty: ReactNode;
  /** The rows; null while there are none. */
  children: ReactNode;
}

/**
 * The frame of every list of mail: the heading, the rows or a message in their place, and the
 * pages.
 */
export function ListFrame({ list, answered, total, totalPages, isEmpty, header, above, empty, children }: Props) {
  const styles = useStyles();
  const t = useWords(mailListWords);
  const { data, error, isPlaceholderData, refetch } = answered;
  const isLoaded = data !== undefined;
  useShortcuts({
    gn: () => list.page < totalPages && list.goTo(list.page + 1),
    gp: () => list.page > 1 && list.goTo(list.page - 1),
  });
  return (
    <div className={styles.root}>
      {header}
      <ProgressLine isShown={isPlaceholderData} label={t.loading} />
      {above}
      {children ?? (
        <div className={mergeClasses(styles.rest, isLoaded && styles.scrolls)}>
          {isEmpty && empty}
          {!isLoaded && error && <LoadError error={error} onRetry={() => void refetch()} />}
          {!isEmpty && !(error && !isLoaded) && <ListSkeleton rows={Math.min(list.limit, 20)} />}
        </div>
      )}
      {isLoaded && !isEmpty && !(isPlaceholderData && children === null) && (
        <Pagination list={list} total={total} totalPages={totalPages} />
      )}
    </div>
  );
}
