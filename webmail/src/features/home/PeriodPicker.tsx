import { type GrowthFilter, growthFilters } from '@selvage/core/contracts/dashboard';
import { Input, makeStyles, tokens } from '@fluentui/react-components';
import { PlainSelect } from '../../components/list/PlainSelect.tsx';
import { useWords } from '../../lib/i18n.ts';
import { homeWords } from '../../words/home.ts';
import type { ChosenPeriod } from './growth-period.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, alignItems: 'center' },
});

interface Props {
  label: string;
  period: ChosenPeriod;
  onChange: (period: ChosenPeriod) => void;
}

/** Chooses a period; for a range, its first and last day. */
export function PeriodPicker({ label, period, onChange }: Props) {
  const styles = useStyles();
  const t = useWords(homeWords);
  const dates = [
    { name: 'startDate', label: t.start },
    { name: 'endDate', label: t.end },
  ] as const;
  return (
    <span className={styles.root}>
      <PlainSelect
        label={label}
        value={period.filter}
        onChange={(filter) => onChange({ ...period, filter: filter as GrowthFilter })}
      >
        {growthFilters.map((filter) => (
          <option key={filter} value={filter}>
            {t[filter]}
          </option>
        ))}
      </PlainSelect>
      {period.filter === 'range' &&
        dates.map((date) => (
          <Input
            key={date.name}
            type="date"
            aria-label={date.label}
            value={period[date.name]}
            onChange={(_event, { value }) => onChange({ ...period, [date.name]: value })}
          />
        ))}
    </span>
  );
}
