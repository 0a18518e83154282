import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { ArrowDownRegular } from '@fluentui/react-icons/svg/arrow-down';
import { ArrowUpRegular } from '@fluentui/react-icons/svg/arrow-up';
import type { ReactNode } from 'react';
import { focusRingInside, oneLine } from '../../theme/styles.ts';
import type { Column } from './columns.ts';

/** The height of a table's head, which stays in view while the rows scroll. */
export const HEAD_HEIGHT = '36px';

const useStyles = makeStyles({
  cell: {
    position: 'sticky',
    top: 0,
    zIndex: 2,
    height: HEAD_HEIGHT,
    padding: `0 ${tokens.spacingHorizontalM}`,
    boxSizing: 'border-box',
    textAlign: 'left',
    backgroundColor: tokens.colorNeutralBackground1,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
    ':first-child': { paddingLeft: tokens.spacingHorizontalXL },
    ...oneLine,
  },
  end: { textAlign: 'right' },
  narrow: { padding: 0, ':first-child': { paddingLeft: tokens.spacingHorizontalM }, textOverflow: 'clip' },
  button: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalXS,
    margin: '0 -4px',
    padding: '4px',
    border: 'none',
    borderRadius: tokens.borderRadiusSmall,
    backgroundColor: 'transparent',
    color: 'inherit',
    font: 'inherit',
    cursor: 'pointer',
    ':hover': { color: tokens.colorNeutralForeground1 },
    ...focusRingInside,
  },
});

interface Props {
  /** Left out for a tick or a menu, which fill their column. */
  column?: Pick<Column<never>, 'id' | 'isAtEnd'>;
  /**
   * The order of the rows, and how it is changed; left out where the column cannot be sorted by.
   */
  sort?: string | undefined;
  onSort?: ((sort: string) => void) | undefined;
  children: ReactNode;
}

/**
 * A heading of a table. One that can be sorted by is a button: the first press ascends, the next
 * descends.
 */
export function ColumnHeading({ column, sort, onSort, children }: Props) {
  const styles = useStyles();
  const by = onSort ? column?.id : undefined;
  const direction = by === undefined ? null : sort === by ? 'ascending' : sort === `-${by}` ? 'descending' : 'none';
  return (
    <th
      role="columnheader"
      scope="col"
      className={mergeClasses(styles.cell, column?.isAtEnd && styles.end, !column && styles.narrow)}
      {...(direction ? { 'aria-sort': direction } : {})}
    >
      {by === undefined ? (
        children
      ) : (
        <button
          type="button"
          className={styles.button}
          onClick={() => onSort?.(direction === 'ascending' ? `-${by}` : by)}
        >
          {children}
          {direction === 'ascending' && <ArrowUpRegular />}
          {direction === 'descending' && <ArrowDownRegular />}
        </button>
      )}
    </th>
  );
}
