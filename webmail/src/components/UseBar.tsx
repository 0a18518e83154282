import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { NEAR_LIMIT } from '../lib/limits.ts';
import { own } from '../theme/own-tokens.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', gap: tokens.spacingVerticalXS, maxWidth: '320px' },
  line: { display: 'flex', flexWrap: 'wrap', columnGap: tokens.spacingHorizontalM, fontVariantNumeric: 'tabular-nums' },
  track: {
    height: '4px',
    borderRadius: tokens.borderRadiusCircular,
    overflow: 'hidden',
    backgroundColor: tokens.colorNeutralStroke2,
  },
  fill: { height: '100%', backgroundColor: tokens.colorBrandBackground },
  near: { backgroundColor: own.stateWaiting },
  full: { backgroundColor: own.stateBad },
});

interface Props {
  used: number;
  limit: number;
  /** Says the same in words: the bar alone says nothing to a screen reader. */
  children: ReactNode;
}

/** How much of a limit is used, as words with a bar below them. */
export function UseBar({ used, limit, children }: Props) {
  const styles = useStyles();
  const share = limit === 0 ? 1 : Math.min(used / limit, 1);
  const state = share >= 1 ? styles.full : share >= NEAR_LIMIT && styles.near;
  return (
    <span className={styles.root}>
      <span className={styles.line}>{children}</span>
      <span className={styles.track} aria-hidden>
        <span className={mergeClasses(styles.fill, state)} style={{ display: 'block', width: `${share * 100}%` }} />
      </span>
    </span>
  );
}
