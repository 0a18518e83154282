import { makeStyles, tokens } from '@fluentui/react-components';
import { useId, useState } from 'react';
import type { FilterPickerProps } from '../../components/list/ListToolbar.tsx';
import { heights } from '../../theme/own-tokens.ts';
import { focusRing } from '../../theme/styles.ts';
import { dayOf, momentOf } from './day-moments.ts';

const useStyles = makeStyles({
  root: { display: 'inline-flex', alignItems: 'center', gap: tokens.spacingHorizontalXS },
  label: { color: tokens.colorNeutralForeground2, fontSize: tokens.fontSizeBase200 },
  input: {
    height: heights.control,
    boxSizing: 'border-box',
    padding: `0 ${tokens.spacingHorizontalS}`,
    border: `1px solid ${tokens.colorNeutralStroke1}`,
    borderRadius: tokens.borderRadiusMedium,
    backgroundColor: tokens.colorNeutralBackground1,
    color: tokens.colorNeutralForeground1,
    fontFamily: 'inherit',
    fontSize: tokens.fontSizeBase300,
    ...focusRing,
  },
});

interface Props extends Omit<FilterPickerProps, 'className'> {
  /** Whether the day is the first or the last one that is meant. */
  edge: 'begin' | 'end';
}

/** A day of the reader's own time zone, which the address has as a moment. */
export function DayFilter({ label, value, onPick, edge }: Props) {
  const styles = useStyles();
  const id = useId();
  const told = dayOf(value, edge);
  const [text, setText] = useState(told);
  const [known, setKnown] = useState(told);
  // A filter that is cleared, or the way back, changes it from outside
  if (told !== known) {
    setKnown(told);
    setText(told);
  }
  const change = (day: string): void => {
    setText(day);
    const moment = momentOf(day, edge);
    // A year that is still being typed is one of long ago
    if (moment !== null) onPick(moment);
  };
  return (
    <span className={styles.root}>
      <label className={styles.label} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="date"
        className={styles.input}
        min="2000-01-01"
        max="2199-12-31"
        value={text}
        onChange={(event) => change(event.target.value)}
      />
    </span>
  );
}
