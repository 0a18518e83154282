import type { Endpoint, Pagination as Position } from '@selvage/core/contracts/endpoint';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import type { QueryKey } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { z } from 'zod';
import { useHourly } from '../../hooks/use-hourly.ts';
import { useListQuery } from '../../hooks/use-list-query.ts';
import { useListState } from '../../hooks/use-list-state.ts';
import { type Selection, useSelection } from '../../hooks/use-selection.ts';
import { can } from '../../lib/can.ts';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { listWords } from '../../words/lists.ts';
import { LoadError } from '../page/LoadError.tsx';
import { Page } from '../page/Page.tsx';
import { StatusPage } from '../page/StatusPage.tsx';
import { SpoolDrawing, WeaveDrawing } from '../drawings.tsx';
import { clearByButton } from './clear-by-button.ts';
import { CountBadge } from './CountBadge.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { ExportButton } from './ExportButton.tsx';
import { type FilterField, ListToolbar } from './ListToolbar.tsx';
import { Pagination } from './Pagination.tsx';
import { TableSkeleton } from './TableSkeleton.tsx';

const useStyles = makeStyles({
  selected: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalS },
  fill: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0, overflowY: 'auto' },
});

/** Rows a page of the console's lists; some of them have sizes of their own. */
const usualSizes = [5, 10, 15, 20, 40, 80];

/** Words for a list without rows. */
export interface EmptyWords {
  title: string;
  /** The title when a search or a filter is set. */
  narrowedTitle?: string;
  /** What else to try when a search finds nothing. */
  narrowedHint?: string;
  /** What the list is for. */
  hint?: string;
  drawing?: ReactNode;
}

/** The button that adds a record. It is shown to people who may make the call. */
interface AddAction {
  call: Endpoint;
  label: string;
  run: () => void;
}

interface Props<Row>
  extends Omit<
    DataTableProps<Row>,
    'rows' | 'label' | 'sorts' | 'sort' | 'onSort' | 'selection' | 'isStale' | 'firstNumber'
  > {
  title: string;
  /** The call; it says what the list can be sorted by and narrowed with. */
  endpoint: Endpoint<z.ZodType, z.ZodType, z.ZodType, z.ZodType<Row[]>>;
  /** Beginning of the query's key; a change of a record invalidates it. */
  queryKey: QueryKey;
  /** Rows a page to choose from. */
  sizes?: readonly number[];
  /** Without it the list cannot be searched. */
  searchLabel?: string;
  filters?: readonly FilterField[];
  empty: EmptyWords;
  /** Stands in the heading, and in the list while it is empty. */
  add?: AddAction | undefined;
  /** Further buttons of the heading. */
  actions?: ReactNode;
  /** With it, the list can be exported; the name of the file. */
  exportName?: string;
  /** What the file has, where it is not what the screen shows. */
  exportedColumns?: DataTableProps<Row>['columns'];
  /** What can be done with the rows that are ticked; with it, rows can be ticked. */
  renderSelection?: (selection: Selection<Row>) => ReactNode;
  /** Stands between the heading and the search, such as the ways to the lists beside this one. */
  header?: ReactNode;
  /** Whether a column numbers the rows by their places in the whole list. */
  isNumbered?: boolean;
  /** Rows that change by themselves are asked for again this often while the page is in view. */
  lookAgainMs?: number | undefined;
}

/**
 * A whole list as a page: heading with count and actions, search and filters, table, pages, and
 * what stands there while it loads, when it is empty and when it fails. Its position and conditions
 * are in the address.
 */
export function ListScreen<Row>(props: Props<Row>): ReactNode {
  const { title, endpoint, queryKey, sizes = usualSizes, searchLabel, filters = [] } = props;
  const { empty, add, actions, renderSelection, exportName, header, isNumbered = false, lookAgainMs } = props;
  const styles = useStyles();
  const t = useWords(listWords);
  useHourly();
  const list = useListState({ name: endpoint.path, sizes, defaultSize: 10, facts: endpoint.list });
  const { data, error, refetch, isPlaceholderData, totalPages } = useListQuery(endpoint, queryKey, list, lookAgainMs);
  const rows = data?.rows ?? [];
  // That the list before this one was empty says nothing of this one
  const isUnknown = !data || (isPlaceholderData && rows.length === 0);
  const sorts = endpoint.list?.sort ?? [];
  const selection = useSelection(rows, props.keyOf);
  const total = isUnknown ? undefined : data.pagination.totalData;
  const hasSelection = renderSelection !== undefined && selection.chosen.length > 0;
  return (
    <Page
      title={title}
      width="fill"
      aside={total !== undefined && <CountBadge count={total} label={t.total(total)} />}
      actions={
        <>
          {exportName && rows.length > 0 && (
            <ExportButton
              endpoint={endpoint}
              query={list.query}
              columns={props.exportedColumns ?? props.columns}
              keyOf={props.keyOf}
              name={exportName}
            />
          )}
          {actions}
          {add && <AddButton {...add} />}
        </>
      }
      above={
        <>
          {header}
          {hasSelection ? (
            <ListToolbar list={list} filters={[]}>
              <span className={styles.selected} role="status">
                {t.selected(selection.chosen.length)}
              </span>
              {renderSelection(selection)}
            </ListToolbar>
          ) : (
            <ListToolbar
              list={list}
              filters={filters}
              sortable={props.columns.filter(({ id }) => sorts.includes(id))}
              {...(searchLabel ? { searchLabel } : {})}
            />
          )}
        </>
      }
    >
      {data && rows.length > 0 && (
        <DataTable
          {...props}
          label={title}
          rows={rows}
          sorts={sorts}
          sort={list.sort}
          onSort={list.setSort}
          isStale={isPlaceholderData}
          firstNumber={isNumbered && data ? numberOfFirst(data.pagination) : undefined}
          {...(renderSelection ? { selection } : {})}
        />
      )}
      {!isUnknown && rows.length === 0 && (
        <div className={styles.fill}>
          <EmptyList
            words={empty}
            add={add && <AddButton {...add} />}
            isNarrowed={list.isNarrowed}
            onClear={list.clear}
          />
        </div>
      )}
      {isUnknown && error && <LoadError error={error} onRetry={() => void refetch()} />}
      {isUnknown && !error && <TableSkeleton label={t.loading({ what: title })} rows={Math.min(list.limit, 12)} />}
      {data && rows.length > 0 && <Pagination list={list} total={data.pagination.totalData} totalPages={totalPages} />}
    </Page>
  );
}

/**
 * The number of the first row in view. While another page loads, the one before is still in view.
 */
function numberOfFirst({ pageNumber, pageSize }: Position): number {
  return (pageNumber - 1) * pageSize + 1;
}

function AddButton({ call, label, run }: AddAction) {
  return (
    can(useCurrentUser(), call) && (
      <Button appearance="primary" onClick={run}>
        {label}
      </Button>
    )
  );
}

interface EmptyProps {
  words: EmptyWords;
  add: ReactNode;
  isNarrowed: boolean;
  onClear: () => void;
}

function EmptyList({ words, add, isNarrowed, onClear }: EmptyProps) {
  const t = useWords(listWords);
  const { title, narrowedTitle, narrowedHint, hint, drawing = <SpoolDrawing /> } = words;
  if (isNarrowed) {
    return (
      <StatusPage
        icon={<WeaveDrawing />}
        title={narrowedTitle ?? title}
        {...(narrowedHint ? { hint: narrowedHint } : {})}
        action={<Button onClick={clearByButton(onClear)}>{t.clearFilters}</Button>}
      />
    );
  }
  return <StatusPage icon={drawing} title={title} {...(hint ? { hint } : {})} action={add} />;
}
