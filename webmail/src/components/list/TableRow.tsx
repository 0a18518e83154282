import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { MoreHorizontalRegular } from '@fluentui/react-icons/svg/more-horizontal';
import { type KeyboardEvent, type ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import type { Selection } from '../../hooks/use-selection.ts';
import { useWords } from '../../lib/i18n.ts';
import { fromHere } from '../../lib/origin.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { heights } from '../../theme/own-tokens.ts';
import { coverLink, oneLine } from '../../theme/styles.ts';
import { listWords } from '../../words/lists.ts';
import { LazyMenu } from '../LazyMenu.tsx';
import type { Column, RowAction } from './columns.ts';
import { rowMenu } from './row-menu.ts';
import { TickBox } from './TickBox.tsx';

const useStyles = makeStyles({
  row: {
    // The link of the first cell covers the row
    position: 'relative',
    ':hover': { backgroundColor: tokens.colorNeutralBackground1Hover },
    [onNarrow]: {
      display: 'grid',
      gridTemplateColumns: 'auto minmax(0, 1fr) auto',
      alignItems: 'center',
      padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}`,
      borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    },
  },
  chosen: { backgroundColor: tokens.colorBrandBackground2 },
  cell: {
    height: heights.tableRow,
    padding: `0 ${tokens.spacingHorizontalM}`,
    boxSizing: 'border-box',
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    // Above the link that covers the row
    '& a:not([data-row-link])': { position: 'relative', zIndex: 1 },
    ...oneLine,
    [onNarrow]: {
      gridColumn: 2,
      display: 'flex',
      alignItems: 'baseline',
      gap: tokens.spacingHorizontalS,
      height: 'auto',
      minHeight: '24px',
      padding: 0,
      borderBottomStyle: 'none',
      // A card has room below: nothing is cut off
      overflow: 'visible',
      overflowWrap: 'anywhere',
      whiteSpace: 'normal',
    },
  },
  first: {
    fontWeight: tokens.fontWeightSemibold,
    // As far in as the heading of the page
    ':first-child': { paddingLeft: tokens.spacingHorizontalXL, [onNarrow]: { paddingLeft: 0 } },
  },
  // In a card the label stands before it
  end: { textAlign: 'right', [onNarrow]: { textAlign: 'left' } },
  wideOnly: { [onNarrow]: { display: 'none' } },
  label: {
    display: 'none',
    flexShrink: 0,
    // A longer label takes a second line, so that all values of a card stand in one column
    width: '112px',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    [onNarrow]: { display: 'inline' },
  },
  number: {
    color: tokens.colorNeutralForeground3,
    ':first-child': { paddingLeft: tokens.spacingHorizontalXL },
  },
  tick: {
    position: 'relative',
    zIndex: 1,
    // The box itself stands 8 px inside of what can be pressed
    padding: `0 0 0 ${tokens.spacingHorizontalM}`,
    textOverflow: 'clip',
    [onNarrow]: { gridColumn: 1, gridRow: '1 / span 9', alignSelf: 'start', margin: '-4px 4px 0 -8px', padding: 0 },
  },
  menu: {
    position: 'relative',
    zIndex: 1,
    padding: `0 ${tokens.spacingHorizontalL} 0 0`,
    textOverflow: 'clip',
    textAlign: 'right',
    [onNarrow]: {
      gridColumn: 3,
      gridRow: '1 / span 9',
      alignSelf: 'start',
      // The button reaches out of its place, and nothing of it is cut off
      paddingRight: '4px',
      marginRight: '-4px',
    },
  },
  link: {
    color: 'inherit',
    textDecorationLine: 'none',
    ':hover': { textDecorationLine: 'underline' },
    ...coverLink,
  },
});

interface Props<Row> {
  row: Row;
  id: string;
  name: string;
  /** Its place in the list; left out where rows are not numbered. */
  number: number | undefined;
  columns: readonly Column<Row>[];
  to: string | null;
  actions: RowAction[] | undefined;
  selection: Selection<unknown> | undefined;
}

/**
 * One row of a table; on a small screen a card, its values labelled. Arrow keys go from row to row.
 */
export function TableRow<Row>(props: Props<Row>): ReactNode {
  const { row, id, name, number, columns, to, actions, selection } = props;
  const styles = useStyles();
  const t = useWords(listWords);
  const isChosen = selection?.isChosen(id) ?? false;
  return (
    <tr role="row" className={mergeClasses(styles.row, isChosen && styles.chosen)} onKeyDown={moveFocus}>
      {selection && (
        <td role="cell" className={mergeClasses(styles.cell, styles.tick)}>
          <TickBox
            label={t.select({ name })}
            isTicked={isChosen}
            onTick={(isTicked, isRange) => selection.choose(id, isTicked, isRange)}
          />
        </td>
      )}
      {number !== undefined && (
        <td role="cell" className={mergeClasses(styles.cell, styles.number, styles.wideOnly)}>
          {number}
        </td>
      )}
      {columns.map((column, index) => (
        <td
          key={column.id}
          role="cell"
          className={mergeClasses(
            styles.cell,
            index === 0 && styles.first,
            column.isAtEnd && styles.end,
            column.isWideOnly && styles.wideOnly,
          )}
        >
          {index > 0 && <span className={styles.label}>{column.title}</span>}
          {index === 0 && to ? <RowLink to={to}>{shownOf(column, row)}</RowLink> : shownOf(column, row)}
        </td>
      ))}
      {actions && (
        <td role="cell" className={mergeClasses(styles.cell, styles.menu)}>
          {actions.length > 0 && (
            <LazyMenu
              label={t.actionsFor({ name })}
              size="small"
              icon={<MoreHorizontalRegular />}
              menu={rowMenu}
              items={actions}
            />
          )}
        </td>
      )}
    </tr>
  );
}

/** What a cell shows. A text is isolated, since its letters may run from right to left. */
function shownOf<Row>(column: Column<Row>, row: Row): ReactNode {
  const value = column.cell(row);
  return typeof value === 'string' ? <bdi>{value}</bdi> : value;
}

function RowLink({ to, children }: { to: string; children: ReactNode }) {
  const styles = useStyles();
  const state = fromHere(useLocation());
  return (
    <Link to={to} state={state} className={styles.link} data-row-link>
      {children}
    </Link>
  );
}

/** From the link of a row to the one above or below. */
function moveFocus(event: KeyboardEvent<HTMLTableRowElement>): void {
  const isLink = event.target instanceof HTMLElement && event.target.hasAttribute('data-row-link');
  const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
  if (!isLink || !step) return;
  const next = event.currentTarget[step as 'nextElementSibling'];
  const link = next?.querySelector<HTMLElement>('[data-row-link]');
  if (!link) return;
  event.preventDefault();
  link.focus();
}
