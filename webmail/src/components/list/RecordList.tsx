import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { Bar, Placeholder } from '../feedback/Placeholder.tsx';
import { followFocus } from '../../hooks/use-focus-return.ts';
import { messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { feedbackWords } from '../../words/feedback.ts';
import { listWords } from '../../words/lists.ts';

const useStyles = makeStyles({
  list: { listStyleType: 'none', margin: 0, padding: 0, display: 'flex', flexDirection: 'column' },
  row: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} 0`,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    ':first-child': { borderTopStyle: 'none' },
  },
  words: { flex: '1 1 220px', minWidth: 0, display: 'flex', flexDirection: 'column', overflowWrap: 'anywhere' },
  title: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalS },
  quiet: { color: tokens.colorNeutralForeground2 },
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS },
  bars: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalS },
  failed: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
});

interface ListProps<T> {
  label: string;
  rows: T[] | undefined;
  error: Error | null;
  /** Said when there is none. */
  empty: string;
  onRetry: () => void;
  renderRow: (row: T) => ReactNode;
}

/** A short list of own things: loading, failed, empty or there. */
export function RecordList<T>({ label, rows, error, empty, onRetry, renderRow }: ListProps<T>) {
  const styles = useStyles();
  const t = useWords(feedbackWords);
  const shared = useWords(listWords);
  if (!rows && error) {
    return (
      <div className={styles.failed} role="alert">
        <Text>{messageOf(error)}</Text>
        <Button size="small" onClick={onRetry}>
          {t.retry}
        </Button>
      </div>
    );
  }
  if (!rows) {
    return (
      <Placeholder label={shared.loading({ what: label })} className={styles.bars}>
        <Bar height={32} />
        <Bar height={32} />
      </Placeholder>
    );
  }
  if (rows.length === 0) return <Text className={styles.quiet}>{empty}</Text>;
  return (
    // A press may make its own row leave
    <ul className={styles.list} aria-label={label} onClick={followFocus}>
      {rows.map(renderRow)}
    </ul>
  );
}

interface RowProps {
  title: string;
  badge?: ReactNode;
  /** Stands between the title and the details. */
  children?: ReactNode;
  details: string[];
  actions?: ReactNode;
}

export function RecordRow({ title, badge, children, details, actions }: RowProps) {
  const styles = useStyles();
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <span className={styles.title}>
          <Text weight="semibold">{title}</Text>
          {badge}
        </span>
        {children}
        <Text size={200} className={styles.quiet}>
          {details.join(' · ')}
        </Text>
      </div>
      {actions && <div className={styles.actions}>{actions}</div>}
    </li>
  );
}
