import type { GrowthDto } from '@selvage/core/contracts/dashboard';
import { makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { LoadError } from '../../components/page/LoadError.tsx';
import { Section } from '../../components/page/Section.tsx';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { useWords, wordsOf } from '../../lib/i18n.ts';
import { homeWords } from '../../words/home.ts';
import { ChartOrTable } from './ChartOrTable.tsx';
import { type ChosenPeriod, dayName, pointName, rangeProblem, stepOf } from './growth-period.ts';
import { PeriodPicker } from './PeriodPicker.tsx';
import { growthQuery, thisMonth } from './queries.ts';

const useStyles = makeStyles({
  controls: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, alignItems: 'center' },
  place: { minHeight: '240px' },
  quiet: { color: tokens.colorNeutralForeground2 },
});

type Kind = 'users' | 'clients';

interface Props {
  kind: Kind;
  /** Only this client's company; empty for all. */
  clientId?: string;
  /** Stands before the period: what else narrows the chart. */
  children?: ReactNode;
}

/** How many people or clients were added in a period, as a line or as a table. */
export function GrowthSection({ kind, clientId = '', children }: Props) {
  const styles = useStyles();
  const t = useWords(homeWords);
  const [period, setPeriod] = useState<ChosenPeriod>(thisMonth);
  const { data, error, refetch } = useQuery(growthQuery(period, clientId));
  const problem = rangeProblem(period);
  const label = kind === 'users' ? t.periodOfUsers : t.periodOfClients;
  return (
    <Section
      title={kind === 'users' ? t.userGrowth : t.clientGrowth}
      action={
        <span className={styles.controls}>
          {children}
          <PeriodPicker label={label} period={period} onChange={setPeriod} />
        </span>
      }
    >
      <div className={styles.place}>
        {problem !== null && <span className={styles.quiet}>{problem}</span>}
        {problem === null && data && <Shown kind={kind} growth={data} filter={period.filter} />}
        {problem === null && !data && error && <LoadError error={error} onRetry={() => void refetch()} />}
        {problem === null && !data && !error && (
          <Placeholder label={t.loading}>
            <Bar height={240} />
          </Placeholder>
        )}
      </div>
    </Section>
  );
}

/** What was added, in words: how many, and from when to when. */
function summaryOf(kind: Kind, { total, period }: GrowthDto): string {
  const t = wordsOf(homeWords);
  const added = kind === 'users' ? t.people(total.users) : t.clients(total.clients ?? 0);
  if (period.start === period.end) return t.on({ added, day: dayName(period.start) });
  return t.between({ added, start: dayName(period.start), end: dayName(period.end) });
}

function Shown({ kind, growth, filter }: { kind: Kind; growth: GrowthDto; filter: ChosenPeriod['filter'] }) {
  const t = useWords(homeWords);
  const step = stepOf(filter, growth.period);
  const points = growth.growth[step].map((point) => ({
    at: point.date,
    name: pointName(step, point),
    values: [(kind === 'users' ? point.userGrowth : point.clientGrowth) ?? 0],
  }));
  const lines = [{ name: t.added, colour: kind === 'users' ? 'series1' : 'series2' }] as const;
  return <ChartOrTable series={{ lines, points }} summary={summaryOf(kind, growth)} />;
}
