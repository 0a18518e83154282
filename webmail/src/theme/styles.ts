import { tokens } from '@fluentui/react-components';
import { onFluentPhone, onNarrow } from './breakpoints.ts';
import { own } from './own-tokens.ts';

/** Style pieces that several components share. Spread them into a slot of `makeStyles`. */

/** The ring around what the keyboard is on; `inside` where the edge of the element is cut off. */
export const focusRing = {
  ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '1px' },
} as const;
export const focusRingInside = {
  ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
} as const;

/** The ring around a box whose field has the focus, as of a search with its buttons. */
export const focusRingWithin = {
  ':focus-within': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-1px' },
} as const;

/** The ring around what the next key acts on although the focus is elsewhere. */
export const markedRing = { outline: `2px solid ${tokens.colorStrokeFocus2}` } as const;

/** The edge of what a dragged file can be dropped on. */
export const dropRing = { outline: `2px dashed ${tokens.colorCompoundBrandStroke}`, outlineOffset: '-6px' } as const;

/**
 * A link that covers the element around it, such as the row that it opens. The element is
 * `position: relative`; what is pressed by itself inside of it stands above, by a `z-index`. The
 * ring goes around all of it.
 */
export const coverLink = {
  '::after': { content: '""', position: 'absolute', inset: 0 },
  ':focus-visible': { outlineStyle: 'none' },
  ':focus-visible::after': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
} as const;

/**
 * A heading that takes the focus on arrival for screen readers. It is no control, so it has no
 * ring.
 */
export const arrivalHeading = { ':focus': { outlineStyle: 'none' } } as const;

/** A heading that folds what stands below it, with the arrow before its words. */
export const foldHeading = {
  display: 'flex',
  alignItems: 'center',
  gap: tokens.spacingHorizontalXS,
  minHeight: '28px',
  padding: `0 ${tokens.spacingHorizontalS}`,
  border: 'none',
  borderRadius: tokens.borderRadiusMedium,
  backgroundColor: 'transparent',
  color: tokens.colorNeutralForeground3,
  fontFamily: 'inherit',
  fontSize: tokens.fontSizeBase200,
  fontWeight: tokens.fontWeightSemibold,
  cursor: 'pointer',
  ':hover': { color: tokens.colorNeutralForeground1 },
  ...focusRingInside,
} as const;

/** A dialog at most this wide, with the page to be seen around it. */
export function dialogSize(width: string) {
  const maxWidth = `min(${width}, calc(100vw - 24px))`;
  return { maxWidth, maxHeight: 'calc(100dvh - 32px)', [onFluentPhone]: { maxWidth } } as const;
}

/** For people who have asked their system for less motion. */
export const onLessMotion = '@media (prefers-reduced-motion: reduce)';

/**
 * The selvage: a woven line of ecru and red along the top edge of the shell and the login card, and
 * nowhere else.
 */
export const selvageLine = {
  height: '3px',
  flexShrink: 0,
  backgroundImage: [
    'repeating-linear-gradient(90deg, transparent 0 5px, rgba(0, 0, 0, 0.22) 5px 6px)',
    `linear-gradient(180deg, ${own.weft} 0 1px, ${own.warp} 1px 2px, ${own.weft} 2px 3px)`,
  ].join(', '),
} as const;

/** One line of text that ends in an ellipsis where there is no room. */
export const oneLine = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/**
 * A pane that scrolls by itself. It is the containing block of what is hidden inside it, which
 * would else make the page scroll.
 */
export const scrollPane = { position: 'relative', flexGrow: 1, minHeight: 0, overflowY: 'auto' } as const;

/** Appears in 120 ms; with reduced motion only the opacity changes, which this is. */
export const fadeIn = {
  animationName: { from: { opacity: 0 }, to: { opacity: 1 } },
  animationDuration: tokens.durationFast,
  animationTimingFunction: 'ease-out',
} as const;

/**
 * The rows of a list of mail. On a phone the last one can be scrolled up from under the round
 * button to write with.
 */
export const mailRows = {
  listStyleType: 'none',
  margin: 0,
  padding: 0,
  [onNarrow]: { paddingBottom: '72px' },
} as const;
