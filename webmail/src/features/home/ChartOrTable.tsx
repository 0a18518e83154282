import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { useWords } from '../../lib/i18n.ts';
import { homeWords } from '../../words/home.ts';
import type { TimeSeries } from './time-series.ts';
import { TimeTable } from './TimeTable.tsx';

const Chart = lazyExtra(() => import('./TimeChart.tsx'));

const useStyles = makeStyles({
  line: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'center' },
  space: { flexGrow: 1 },
  quiet: { color: tokens.colorNeutralForeground2 },
  // The chart's place, also before its code has come
  place: { minHeight: '240px' },
});

interface Props {
  series: TimeSeries;
  /** The same in a sentence. */
  summary: string;
  /** The same of the table, where it shows more. */
  tableSummary?: string;
}

/**
 * Numbers over time: a sentence, and a chart, or a table for readers to whom a chart says nothing.
 */
export function ChartOrTable({ series, summary, tableSummary = summary }: Props) {
  const styles = useStyles();
  const t = useWords(homeWords);
  const [isTable, setTable] = useState(false);
  return (
    <>
      <div className={styles.line}>
        <span className={styles.quiet} role="status">
          {isTable ? tableSummary : summary}
        </span>
        <span className={styles.space} />
        <Button appearance="subtle" size="small" onClick={() => setTable(!isTable)}>
          {isTable ? t.asChart : t.asTable}
        </Button>
      </div>
      <div className={styles.place}>
        {isTable ? (
          <TimeTable series={series} label={tableSummary} />
        ) : (
          <Chart series={series} label={t.chartOf({ what: summary })} />
        )}
      </div>
    </>
  );
}
