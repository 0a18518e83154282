import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { useWords } from '../../lib/i18n.ts';
import { homeWords } from '../../words/home.ts';
import type { TimeSeries } from './time-series.ts';

const useStyles = makeStyles({
  table: { borderCollapse: 'collapse', width: '100%', maxWidth: '560px', fontVariantNumeric: 'tabular-nums' },
  cell: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    textAlign: 'start',
    fontWeight: tokens.fontWeightRegular,
  },
  head: { color: tokens.colorNeutralForeground2 },
  number: { textAlign: 'end' },
});

/** The numbers of a chart, and those that it has no line for. */
export function TimeTable({ series: { lines, others = [], points }, label }: { series: TimeSeries; label: string }) {
  const styles = useStyles();
  const t = useWords(homeWords);
  const number = mergeClasses(styles.cell, styles.number);
  const columns = [...lines.map(({ name }) => name), ...others];
  return (
    <table className={styles.table} aria-label={label}>
      <thead>
        <tr className={styles.head}>
          <th className={styles.cell} scope="col">
            {t.when}
          </th>
          {columns.map((name) => (
            <th key={name} className={number} scope="col">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {points.map(({ at, name, values }) => (
          <tr key={at}>
            <th className={styles.cell} scope="row">
              {name}
            </th>
            {columns.map((column, index) => (
              <td key={column} className={number}>
                {(values[index] ?? 0).toLocaleString()}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
