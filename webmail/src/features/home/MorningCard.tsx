import { Button, makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { Bar, Placeholder } from '../../components/feedback/Placeholder.tsx';
import { messageOf } from '../../lib/api-error.ts';
import { useWords } from '../../lib/i18n.ts';
import { morningWords } from '../../words/morning.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
    minWidth: 0,
    padding: `${tokens.spacingVerticalL} ${tokens.spacingHorizontalXL}`,
    border: `1px solid ${tokens.colorNeutralStroke2}`,
    borderRadius: tokens.borderRadiusLarge,
  },
  wide: { gridColumn: '1 / -1' },
  head: {
    display: 'flex',
    flexWrap: 'wrap',
    alignItems: 'baseline',
    justifyContent: 'space-between',
    gap: `${tokens.spacingVerticalXS} ${tokens.spacingHorizontalM}`,
  },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  quiet: { color: tokens.colorNeutralForeground2 },
  failed: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
});

interface Props<T> {
  title: string;
  query: UseQueryResult<T>;
  /** Stands after the title. */
  renderAside?: (data: T) => ReactNode;
  isWide?: boolean;
  children: (data: T) => ReactNode;
}

/** One topic of the morning: its state, or that it could not be loaded. */
export function MorningCard<T>({
  title,
  query: { data, error, refetch },
  renderAside,
  isWide = false,
  children,
}: Props<T>) {
  const styles = useStyles();
  const t = useWords(morningWords);
  const id = useId();
  return (
    <section className={mergeClasses(styles.root, isWide && styles.wide)} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 id={id} className={styles.title}>
          {title}
        </h2>
        {data !== undefined && renderAside?.(data)}
      </div>
      {data !== undefined && children(data)}
      {data === undefined && error === null && (
        <Placeholder label={t.loading}>
          <Bar height={72} />
        </Placeholder>
      )}
      {data === undefined && error !== null && (
        <div className={styles.failed} role="alert">
          <span className={styles.quiet}>{messageOf(error)}</span>
          <Button size="small" onClick={() => void refetch()}>
            {t.retry}
          </Button>
        </div>
      )}
    </section>
  );
}
