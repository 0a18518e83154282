import { makeStyles, tokens } from '@fluentui/react-components';
import { useWords } from '../../lib/i18n.ts';
import { focusRingInside } from '../../theme/styles.ts';
import { homeWords } from '../../words/home.ts';
import type { ChartPoint } from './GrowthChart.tsx';

const useStyles = makeStyles({
  // As tall as the chart, so that nothing below it moves
  root: { height: '240px', overflowY: 'auto', ...focusRingInside },
  table: { borderCollapse: 'collapse', width: '100%', maxWidth: '480px', fontVariantNumeric: 'tabular-nums' },
  cell: {
    padding: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalS}`,
    borderBottom: `1px solid ${tokens.colorNeutralStroke2}`,
    textAlign: 'start',
    fontWeight: tokens.fontWeightRegular,
  },
  head: { color: tokens.colorNeutralForeground2 },
  number: { textAlign: 'end' },
});

/** The numbers of a chart. */
export function GrowthTable({ points, label }: { points: readonly ChartPoint[]; label: string }) {
  const styles = useStyles();
  const t = useWords(homeWords);
  return (
    // A pane that scrolls is reached by the keyboard
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div className={styles.root} role="region" aria-label={label} tabIndex={0}>
      <table className={styles.table}>
        <thead>
          <tr className={styles.head}>
            <th className={styles.cell} scope="col">
              {t.when}
            </th>
            <th className={`${styles.cell} ${styles.number}`} scope="col">
              {t.added}
            </th>
          </tr>
        </thead>
        <tbody>
          {points.map(({ name, added }) => (
            <tr key={name}>
              <th className={styles.cell} scope="row">
                {name}
              </th>
              <td className={`${styles.cell} ${styles.number}`}>{added.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
