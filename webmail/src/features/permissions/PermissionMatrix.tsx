import type { MatrixLock, PermissionMatrix as Matrix } from '@selvage/core/contracts/permission-matrix';
import { gatesNothing, type PermissionAction } from '@selvage/core/contracts/permissions';
import { makeStyles, Switch, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, memo, useRef } from 'react';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { TableSkeleton } from '../../components/list/TableSkeleton.tsx';
import { LoadError } from '../../components/page/LoadError.tsx';
import { useWords } from '../../lib/i18n.ts';
import { modelName } from '../../lib/model-name.ts';
import { onNarrow } from '../../theme/breakpoints.ts';
import { heights } from '../../theme/own-tokens.ts';
import { listWords } from '../../words/lists.ts';
import { matrixWords } from '../../words/permission-matrix.ts';
import type { MatrixSubject } from '../../lib/record-keys.ts';
import { matrixQuery } from './queries.ts';
import { ResetPermissions } from './ResetPermissions.tsx';
import { type KeyedRow, useChangeFlag, useRows } from './use-change-flags.ts';

const actions = ['create', 'view', 'edit', 'delete'] as const satisfies readonly PermissionAction[];

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalM, minWidth: 0, maxWidth: '760px' },
  hint: { color: tokens.colorNeutralForeground2 },
  table: {
    width: '100%',
    borderCollapse: 'separate',
    borderSpacing: 0,
    tableLayout: 'fixed',
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
  },
  flag: { width: '96px', [onNarrow]: { width: '60px' } },
  heading: {
    height: '36px',
    padding: 0,
    textAlign: 'center',
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase200,
    fontWeight: tokens.fontWeightSemibold,
    ':first-child': { textAlign: 'left' },
  },
  cell: {
    height: heights.tableRow,
    padding: 0,
    boxSizing: 'border-box',
    borderBottom: `1px solid ${tokens.colorNeutralStroke3}`,
    textAlign: 'center',
  },
  // The knob of a switch stands where its text would begin
  control: { display: 'inline-flex', textAlign: 'left' },
  none: { color: tokens.colorNeutralForeground2 },
  model: {
    paddingRight: tokens.spacingHorizontalS,
    textAlign: 'left',
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
  },
  source: {
    display: 'block',
    color: tokens.colorNeutralForeground3,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontWeight: tokens.fontWeightRegular,
  },
  own: { color: tokens.colorBrandForeground1 },
});

/**
 * What a role or a person may do: a row for each module, a switch for each flag. A change holds
 * from the next request of each person it concerns.
 */
export function PermissionMatrix({ subject }: { subject: MatrixSubject }) {
  const { loading } = useWords(listWords);
  const t = useWords(matrixWords);
  const { data, error, refetch } = useQuery(matrixQuery(subject));
  if (data) return <Loaded subject={subject} matrix={data} />;
  if (error) return <LoadError error={error} onRetry={() => void refetch()} />;
  return <TableSkeleton label={loading({ what: t.tableLabel })} rows={12} />;
}

function Loaded({ subject, matrix }: { subject: MatrixSubject; matrix: Matrix }) {
  const styles = useStyles();
  const t = useWords(matrixWords);
  const rows = useRows(subject, matrix.permissions);
  const lockText = useLockText(matrix);
  const isPartly = matrix.lock === null && rows.some((row) => actions.some((action) => isShownLocked(row, action)));
  const hints = [...(subject.kind === 'user' ? [t.ownHint] : []), ...(isPartly ? [t.someLocked] : [])];
  return (
    <div className={styles.root}>
      <FormMessage intent="info" text={lockText} />
      {subject.kind === 'user' && matrix.lock === null && <ResetPermissions subject={subject} matrix={matrix} />}
      {hints.length > 0 && <span className={styles.hint}>{hints.join(' ')}</span>}
      <FlagTable subject={subject} rows={rows} />
    </div>
  );
}

const isShownLocked = ({ model, grantable }: KeyedRow, action: PermissionAction): boolean =>
  !grantable[action] && !gatesNothing(model, action);

/** Why nothing can be switched; null when something can. */
function useLockText({ lock, subject }: Matrix): string | null {
  const t = useWords(matrixWords);
  const texts: Record<MatrixLock, string> = {
    built_in: t.lockBuiltIn,
    own: t.lockOwn,
    outranked: subject.kind === 'role' ? t.lockOutrankedRole : t.lockOutrankedPerson,
    deleted: t.lockDeleted,
    not_permitted: t.lockNotPermitted,
  };
  return lock === null ? null : texts[lock];
}

function FlagTable({ subject, rows }: { subject: MatrixSubject; rows: readonly KeyedRow[] }) {
  const styles = useStyles();
  const t = useWords(matrixWords);
  const change = useChangeFlag(subject);
  // A stable function, so that only the row that changes is rendered again
  const latest = useRef(change);
  latest.current = change;
  const handleChange = useRef((row: KeyedRow, action: PermissionAction, value: boolean): void => {
    void latest.current(row, action, value);
  }).current;
  return (
    <table aria-label={t.tableLabel} className={styles.table} onKeyDown={moveFocus}>
      <colgroup>
        <col />
        {actions.map((action) => (
          <col key={action} className={styles.flag} />
        ))}
      </colgroup>
      <thead>
        <tr>
          <th scope="col" className={styles.heading}>
            {t.model}
          </th>
          {actions.map((action) => (
            <th key={action} scope="col" className={styles.heading}>
              {t[action]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <FlagRow key={row._id} row={row} hasSource={subject.kind === 'user'} onChange={handleChange} />
        ))}
      </tbody>
    </table>
  );
}

interface RowProps {
  row: KeyedRow;
  /** Whether it says where the row comes from. */
  hasSource: boolean;
  onChange: (row: KeyedRow, action: PermissionAction, value: boolean) => void;
}

const FlagRow = memo(function FlagRow({ row, hasSource, onChange }: RowProps) {
  const styles = useStyles();
  const t = useWords(matrixWords);
  const name = modelName(row.model);
  return (
    <tr>
      <th scope="row" className={`${styles.cell} ${styles.model}`}>
        {name}
        {hasSource && (
          <span className={row.source === 'own' ? `${styles.source} ${styles.own}` : styles.source}>
            {row.source === 'own' ? t.own : t.fromRole}
          </span>
        )}
      </th>
      {actions.map((action) => (
        <td key={action} className={styles.cell}>
          {gatesNothing(row.model, action) ? (
            <span role="img" aria-label={t.notApplicable} className={styles.none}>
              –
            </span>
          ) : (
            <span className={styles.control}>
              <Switch
                aria-label={t.flag({ action: t[action], model: name })}
                checked={row[action]}
                disabled={!row.grantable[action]}
                onChange={(_event, { checked }) => onChange(row, action, checked)}
              />
            </span>
          )}
        </td>
      ))}
    </tr>
  );
});

const steps: Record<string, [rows: number, columns: number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/** Arrow keys go from switch to switch, past those that are disabled. */
function moveFocus(event: KeyboardEvent<HTMLTableElement>): void {
  const step = steps[event.key];
  const cell = event.target instanceof HTMLElement ? event.target.closest('td') : null;
  const row = cell?.closest('tr');
  if (!step || !cell || !row || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  let next = cellAt(event.currentTarget, row.rowIndex + step[0], cell.cellIndex + step[1]);
  while (next) {
    const control = next.querySelector<HTMLInputElement>('input:enabled');
    if (control) return control.focus();
    const { rowIndex } = next.parentElement as HTMLTableRowElement;
    next = cellAt(event.currentTarget, rowIndex + step[0], next.cellIndex + step[1]);
  }
}

function cellAt(table: HTMLTableElement, row: number, column: number): HTMLTableCellElement | null {
  return row < 0 || column < 0 ? null : (table.rows[row]?.cells[column] ?? null);
}
