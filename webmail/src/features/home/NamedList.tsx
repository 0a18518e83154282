import { makeStyles, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS },
  title: {
    margin: 0,
    color: tokens.colorNeutralForeground2,
    fontSize: tokens.fontSizeBase300,
    fontWeight: 'inherit',
  },
  list: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    margin: 0,
    padding: 0,
    listStyle: 'none',
  },
  row: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    justifyContent: 'space-between',
    gap: `0 ${tokens.spacingHorizontalM}`,
    fontVariantNumeric: 'tabular-nums',
  },
  name: { flex: '1 1 160px', minWidth: 0, overflowWrap: 'anywhere' },
});

interface Props {
  title?: string;
  rows: readonly { key: string; name: ReactNode; value: ReactNode }[];
}

/** A few records of a card, each with what matters of it. */
export function NamedList({ title, rows }: Props) {
  const styles = useStyles();
  return (
    <div className={styles.root}>
      {title !== undefined && <h3 className={styles.title}>{title}</h3>}
      <ul className={styles.list}>
        {rows.map(({ key, name, value }) => (
          <li key={key} className={styles.row}>
            <span className={styles.name}>{name}</span>
            <span>{value}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
