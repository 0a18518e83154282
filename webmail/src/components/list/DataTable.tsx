import { makeStyles, tokens } from '@fluentui/react-components';
import { type ReactNode, useRef } from 'react';
import { useKeyboardScroll } from '../../hooks/use-keyboard-scroll.ts';
import type { Selection } from '../../hooks/use-selection.ts';
import { useWords } from '../../lib/i18n.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { focusRingInside, scrollPane } from '../../theme/styles.ts';
import { listWords } from '../../words/lists.ts';
import { ProgressLine } from '../feedback/ProgressLine.tsx';
import { VisuallyHidden } from '../VisuallyHidden.tsx';
import { ColumnHeading, HEAD_HEIGHT } from './ColumnHeading.tsx';
import type { Column, RowAction } from './columns.ts';
import { TableRow } from './TableRow.tsx';
import { TickBox } from './TickBox.tsx';

const useStyles = makeStyles({
  scroll: {
    ...scrollPane,
    ...focusRingInside,
    // A row that gets the focus comes to stand below the head, which stays at the top
    scrollPaddingTop: HEAD_HEIGHT,
    [onNarrow]: { scrollPaddingTop: 0 },
  },
  table: {
    width: '100%',
    borderCollapse: 'separate',
    borderSpacing: 0,
    tableLayout: 'fixed',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontVariantNumeric: 'tabular-nums',
    [onNarrow]: { display: 'block' },
  },
  head: { [onNarrow]: { display: 'none' } },
  body: { [onNarrow]: { display: 'block' } },
  tick: { width: '44px' },
  number: { width: '64px' },
  menu: { width: '56px' },
});

/** Enough for a day, a time or a size. */
const NUMBER_WIDTH = '130px';

export interface DataTableProps<Row> {
  /** What the table lists, for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** What a row is called in the names of its tick and its menu. */
  nameOf: (row: Row) => string;
  /** Where a row leads; its first cell becomes the link, and the whole row takes the press. */
  linkOf?: (row: Row) => string | null;
  actionsOf?: (row: Row) => RowAction[];
  /**
   * The columns that the rows can be sorted by, the order that they have, and how it is changed.
   */
  sorts?: readonly string[];
  sort?: string | undefined;
  onSort?: (sort: string) => void;
  selection?: Selection<Row>;
  /** The place of the first row in the whole list. With it, a column numbers the rows. */
  firstNumber?: number | undefined;
  /** The rows are still those of the page before. The page that was asked for is on its way. */
  isStale?: boolean;
}

/**
 * Rows and columns: a table that stays one for screen readers when it becomes cards on a small
 * screen. Its head stays in view while the rows scroll.
 */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, rows, keyOf, nameOf, linkOf, actionsOf, selection, isStale = false } = props;
  const { sorts = [], sort, onSort, firstNumber } = props;
  const styles = useStyles();
  const t = useWords(listWords);
  const scrollRef = useRef<HTMLDivElement>(null);
  useKeyboardScroll(scrollRef);
  return (
    <>
      <ProgressLine isShown={isStale} label={t.loading({ what: label })} />
      <div ref={scrollRef} className={styles.scroll}>
        <table role="table" aria-label={label} aria-busy={isStale} className={styles.table}>
          <colgroup>
            {selection && <col className={styles.tick} />}
            {firstNumber !== undefined && <col className={styles.number} />}
            {columns.map(({ id, isAtEnd, width = isAtEnd && NUMBER_WIDTH }) => (
              <col key={id} {...(width ? { width } : {})} />
            ))}
            {actionsOf && <col className={styles.menu} />}
          </colgroup>
          <thead role="rowgroup" className={styles.head}>
            <tr role="row">
              {selection && (
                <ColumnHeading>
                  <TickBox label={t.selectPage} isTicked={selection.share} onTick={selection.chooseAll} />
                </ColumnHeading>
              )}
              {firstNumber !== undefined && <ColumnHeading column={{ id: 'number' }}>{t.number}</ColumnHeading>}
              {columns.map((column) => (
                <ColumnHeading key={column.id} column={column} {...(sorts.includes(column.id) ? { sort, onSort } : {})}>
                  {column.title}
                </ColumnHeading>
              ))}
              {actionsOf && (
                <ColumnHeading>
                  <VisuallyHidden>{t.actions}</VisuallyHidden>
                </ColumnHeading>
              )}
            </tr>
          </thead>
          <tbody role="rowgroup" className={styles.body}>
            {rows.map((row, index) => (
              <TableRow
                key={keyOf(row)}
                row={row}
                id={keyOf(row)}
                name={nameOf(row)}
                number={firstNumber === undefined ? undefined : firstNumber + index}
                columns={columns}
                to={linkOf?.(row) ?? null}
                actions={actionsOf?.(row)}
                selection={selection as Selection<unknown> | undefined}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
