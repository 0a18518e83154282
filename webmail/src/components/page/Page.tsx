import { makeStyles, mergeClasses, tokens } from '@fluentui/react-components';
import { type ReactNode, useRef } from 'react';
import { useKeyboardScroll } from '../../hooks/use-keyboard-scroll.ts';
import { isMovingFocus } from '../../lib/focus-moves.ts';
import { onNarrow, onPhone } from '../../theme/breakpoints.ts';
import { widths } from '../../theme/own-tokens.ts';
import { arrivalHeading, focusRingInside, scrollPane } from '../../theme/styles.ts';

const useStyles = makeStyles({
  root: { display: 'flex', flexDirection: 'column', flexGrow: 1, minHeight: 0 },
  head: {
    display: 'flex',
    alignItems: 'center',
    flexWrap: 'wrap',
    flexShrink: 0,
    gap: tokens.spacingHorizontalS,
    minHeight: '56px',
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalXL}`,
    boxSizing: 'border-box',
    [onNarrow]: { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM}` },
  },
  title: {
    margin: 0,
    minWidth: 0,
    fontSize: tokens.fontSizeBase500,
    lineHeight: tokens.lineHeightBase500,
    fontWeight: tokens.fontWeightSemibold,
    overflowWrap: 'anywhere',
    ...arrivalHeading,
    [onPhone]: { fontSize: tokens.fontSizeBase400 },
  },
  space: { flexGrow: 1 },
  // Together on a line of their own where they do not fit beside the title
  actions: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS, minWidth: 0 },
  scroll: { ...scrollPane, ...focusRingInside },
  body: {
    display: 'flex',
    flexDirection: 'column',
    gap: tokens.spacingVerticalXL,
    padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalXL} ${tokens.spacingVerticalXXXL}`,
    boxSizing: 'border-box',
    width: '100%',
    [onNarrow]: { padding: `${tokens.spacingVerticalS} ${tokens.spacingHorizontalM} ${tokens.spacingVerticalXXL}` },
  },
  form: { maxWidth: `calc(${widths.form} + 2 * ${tokens.spacingHorizontalXL})` },
  page: { maxWidth: `calc(${widths.page} + 2 * ${tokens.spacingHorizontalXL})` },
});

interface Props {
  title: string;
  /** Stands after the title: a count, a state. */
  aside?: ReactNode;
  /** Buttons at the end of the heading's line. */
  actions?: ReactNode;
  /**
   * How wide the content may be: a `form`'s column, a `page` of sections, or `full`. A `fill`ed
   * page gets all the height and scrolls inside its content, as a list does.
   */
  width?: 'form' | 'page' | 'full' | 'fill';
  /** Stays above what scrolls, such as tabs. */
  above?: ReactNode;
  children: ReactNode;
}

/**
 * The frame of a screen: heading, actions, one scrolling pane of a fixed width. The heading takes
 * the focus on arrival.
 */
export function Page({ title, aside, actions, width = 'page', above, children }: Props) {
  const styles = useStyles();
  const scrollRef = useRef<HTMLDivElement>(null);
  useKeyboardScroll(scrollRef);
  return (
    <div className={styles.root}>
      <header className={styles.head}>
        <h1 className={styles.title} tabIndex={-1} ref={focusOnArrival} dir="auto">
          {title}
        </h1>
        {aside}
        <span className={styles.space} />
        {actions && <div className={styles.actions}>{actions}</div>}
      </header>
      {above}
      {width === 'fill' ? (
        children
      ) : (
        <div ref={scrollRef} className={styles.scroll}>
          <div className={mergeClasses(styles.body, width !== 'full' && styles[width])}>{children}</div>
        </div>
      )}
    </div>
  );
}

/**
 * A screen reader hears where it has arrived, and the keyboard goes on from there. The function
 * stays the same, so React calls it once a mount. What has the focus on purpose, such as a field of
 * a dialog or a link that the person went to by Tab while the screen was on its way, keeps it.
 */
export function focusOnArrival(heading: HTMLElement | null): void {
  const { activeElement } = document;
  const isFree = activeElement === null || activeElement === document.body || !activeElement.isConnected;
  const isNavigation = !isMovingFocus() && activeElement?.closest('a, nav, header, [role="menu"]') !== null;
  if (isFree || isNavigation) heading?.focus({ preventScroll: true });
}
