import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import type { ReactNode } from 'react';
import { onNarrow } from '../../../theme/breakpoints.ts';
import { fadeIn } from '../../../theme/styles.ts';

const useStyles = makeStyles({
  root: {
    display: 'flex',
    alignItems: 'center',
    gap: tokens.spacingHorizontalM,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalL}`,
    borderRadius: tokens.borderRadiusXLarge,
    boxShadow: tokens.shadow28,
    backgroundColor: tokens.colorNeutralBackgroundInverted,
    color: tokens.colorNeutralForegroundInverted,
    fontSize: tokens.fontSizeBase300,
    lineHeight: tokens.lineHeightBase300,
    fontVariantNumeric: 'tabular-nums',
    ...fadeIn,
    [onNarrow]: { flexWrap: 'wrap', columnGap: tokens.spacingHorizontalS, rowGap: tokens.spacingVerticalXS },
  },
  inline: { boxShadow: 'none', borderRadius: tokens.borderRadiusMedium },
  text: { flexGrow: 1, minWidth: 0, overflowWrap: 'anywhere', [onNarrow]: { flexBasis: '160px' } },
  actions: { display: 'flex', alignItems: 'center', gap: tokens.spacingHorizontalM },
  stack: {
    position: 'fixed',
    zIndex: 900,
    bottom: tokens.spacingVerticalXL,
    left: '50%',
    transform: 'translateX(-50%)',
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalS,
    width: 'max-content',
    maxWidth: 'calc(100vw - 32px)',
    // The round button that begins a message stands at the right
    [onNarrow]: {
      left: tokens.spacingHorizontalL,
      transform: 'none',
      bottom: 'calc(64px + env(safe-area-inset-bottom))',
      maxWidth: 'calc(100vw - 100px)',
    },
  },
  // Compose windows are on the other side. Where they reach this one, their buttons stay free
  aside: {
    left: tokens.spacingHorizontalXL,
    bottom: '92px',
    transform: 'none',
    [onNarrow]: { left: tokens.spacingHorizontalL },
  },
});

interface Props {
  /** Inside a window rather than over the page. */
  isInline?: boolean;
  text: ReactNode;
  children?: ReactNode;
}

/** One line about a message, with what can be done about it. */
export function Banner({ isInline = false, text, children }: Props) {
  const styles = useStyles();
  return (
    <div className={mergeClasses(styles.root, isInline && styles.inline)}>
      <span className={styles.text}>{text}</span>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}

/** Where banners stand over the page, at the bottom. */
export function BannerStack({ isAside, children }: { isAside: boolean; children: ReactNode }) {
  const styles = useStyles();
  return <div className={mergeClasses(styles.stack, isAside && styles.aside)}>{children}</div>;
}
