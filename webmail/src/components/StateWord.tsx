import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { own } from '../theme/own-tokens.ts';

/**
 * `good` is done, `waiting` goes on by itself, `bad` needs a person, `held` is kept back, `quiet`
 * is none of them.
 */
export type StateKind = 'good' | 'waiting' | 'bad' | 'held' | 'quiet';

const useStyles = makeStyles({
  root: {
    display: 'inline-flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalSNudge,
    fontSize: tokens.fontSizeBase200,
    lineHeight: tokens.lineHeightBase200,
    fontWeight: tokens.fontWeightSemibold,
  },
  oneLine: { whiteSpace: 'nowrap' },
  dot: {
    width: '7px',
    height: '7px',
    flexShrink: 0,
    borderRadius: tokens.borderRadiusCircular,
    backgroundColor: 'currentColor',
  },
  good: { color: own.stateGood },
  waiting: { color: own.stateWaiting },
  bad: { color: own.stateBad },
  held: { color: own.stateHeld },
  quiet: { color: tokens.colorNeutralForeground3 },
});

/**
 * The state of something: a word first, a coloured dot second. A sentence `wraps` where a word
 * would stay on one line.
 */
export function StateWord({ kind, children, wraps }: { kind: StateKind; children: string; wraps?: boolean }) {
  const styles = useStyles();
  return (
    <span className={mergeClasses(styles.root, !wraps && styles.oneLine, styles[kind])}>
      <span className={styles.dot} aria-hidden />
      {children}
    </span>
  );
}
