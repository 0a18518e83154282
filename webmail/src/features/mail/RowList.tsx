import { makeStyles } from '@fluentui/react-components';
import { Fragment, type ReactNode, useRef } from 'react';
import type { Selection } from '../../hooks/use-selection.ts';
import { type Shortcuts, useShortcuts } from '../../hooks/use-shortcuts.ts';
import { mailRows, scrollPane } from '../../theme/styles.ts';
import { useRowChoice } from './use-row-choice.ts';
import { useRowFocus } from './use-row-focus.ts';

const useStyles = makeStyles({
  list: mailRows,
  pane: scrollPane,
});

interface Ticking {
  isChosen: boolean;
  onChoose: (isChosen: boolean, isRange: boolean) => void;
  onFocus: () => void;
}

interface Props<Row> {
  label: string;
  /** The list's address, under which its place is remembered. */
  address: string;
  rows: readonly Row[];
  selection: Selection<Row>;
  /** Keys besides those that move and tick. */
  keys?: Shortcuts;
  children: (row: Row, ticking: Ticking) => ReactNode;
}

/** The rows of a page of mail and the keys that work on them. */
export function RowList<Row extends { _id: string; star_status?: boolean }>({
  label,
  address,
  rows,
  selection,
  keys,
  children,
}: Props<Row>) {
  const styles = useStyles();
  const paneRef = useRef<HTMLDivElement>(null);
  const { focusedRow, rememberFocus, move } = useRowFocus(rows, paneRef, address);
  const choice = useRowChoice({ rows, selection, focusedRow, move });
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    ...choice.keys,
    ...keys,
  });
  return (
    <div ref={paneRef} className={styles.pane}>
      <ul className={styles.list} aria-label={label} {...choice.listens}>
        {rows.map((row) => (
          <Fragment key={row._id}>
            {children(row, {
              isChosen: selection.isChosen(row._id),
              onChoose: (isChosen, isRange) => selection.choose(row._id, isChosen, isRange),
              onFocus: () => rememberFocus(row._id),
            })}
          </Fragment>
        ))}
      </ul>
    </div>
  );
}
