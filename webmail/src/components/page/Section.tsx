import { makeStyles, tokens } from '@fluentui/react-components';
import { type ReactNode, useId } from 'react';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalM,
    paddingTop: tokens.spacingVerticalXL,
    borderTop: `1px solid ${tokens.colorNeutralStroke2}`,
    ':first-child': { paddingTop: 0, borderTopStyle: 'none' },
  },
  head: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'flex-start' },
  words: { flex: '1 1 240px', minWidth: 0, display: 'flex', flexDirection: 'column', gap: '2px' },
  title: {
    margin: 0,
    fontSize: tokens.fontSizeBase400,
    lineHeight: tokens.lineHeightBase400,
    fontWeight: tokens.fontWeightSemibold,
  },
  hint: { maxWidth: '80ch', color: tokens.colorNeutralForeground2 },
});

interface Props {
  /** For a way to it from elsewhere on the page. */
  id?: string;
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  children?: ReactNode;
}

/**
 * One topic of a page: what it is, what can be done, its state. A thin line separates it from the
 * one before.
 */
export function Section({ id, title, hint, action, children }: Props) {
  const styles = useStyles();
  const titleId = useId();
  return (
    <section className={styles.root} aria-labelledby={titleId} id={id} tabIndex={id === undefined ? undefined : -1}>
      <div className={styles.head}>
        <div className={styles.words}>
          <h2 id={titleId} className={styles.title}>
            {title}
          </h2>
          {hint && <span className={styles.hint}>{hint}</span>}
        </div>
        {action}
      </div>
      {children}
    </section>
  );
}
