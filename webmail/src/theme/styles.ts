import { tokens } from '@fluentui/react-components';
import { onFluentPhone, onNarrow } from './breakpoints.ts';
import { own } from './own-tokens.ts';

/* Style pieces that several components share. Spread them into a slot of `makeStyles`. */

/**
 * The ring around the element with keyboard focus. `focusRingInside` is for an element whose edge
 * is cut off.
 */
export const focusRing = {
  ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '1px' },
} as const;
export const focusRingInside = {
  ':focus-visible': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
} as const;

/** The ring around a box whose field has the focus, such as a search field with its buttons. */
export const focusRingWithin = {
  ':focus-within': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-1px' },
} as const;

/** The ring around the element on which the next key acts, although the focus is elsewhere. */
export const markedRing = { outline: `2px solid ${tokens.colorStrokeFocus2}` } as const;

/** The edge of an area on which a dragged file can be dropped. */
export const dropRing = { outline: `2px dashed ${tokens.colorCompoundBrandStroke}`, outlineOffset: '-6px' } as const;

/**
 * A link that covers the element around it, such as the row that it opens. The element is
 * `position: relative`. Buttons inside it are above the link, by a `z-index`. The focus ring goes
 * around the whole element.
 */
export const coverLink = {
  '::after': { content: '""', position: 'absolute', inset: 0 },
  ':focus-visible': { outlineStyle: 'none' },
  ':focus-visible::after': { outline: `2px solid ${tokens.colorStrokeFocus2}`, outlineOffset: '-2px' },
} as const;

/**
 * A heading that gets the focus when a page opens, for screen readers. It is no control, so it has
 * no ring.
 */
export const arrivalHeading = { ':focus': { outlineStyle: 'none' } } as const;

/** A heading that collapses the content below it, with the arrow before its text. */
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

/** The size of a dialog: at most this wide, and with the page visible around it. */
export function dialogSize(width: string) {
  const maxWidth = `min(${width}, calc(100vw - 24px))`;
  return { maxWidth, maxHeight: 'calc(100dvh - 32px)', [onFluentPhone]: { maxWidth } } as const;
}

/** Matches for people who have asked their system for less motion. */
export const onLessMotion = '@media (prefers-reduced-motion: reduce)';

/**
 * The selvage: a woven line of ecru and red along the top edge of the shell, the login card and the
 * setup of a company.
 */
export const selvageLine = {
  height: '3px',
  flexShrink: 0,
  backgroundImage: [
    'repeating-linear-gradient(90deg, transparent 0 5px, rgba(0, 0, 0, 0.22) 5px 6px)',
    `linear-gradient(180deg, ${own.weft} 0 1px, ${own.warp} 1px 2px, ${own.weft} 2px 3px)`,
  ].join(', '),
} as const;

/**
 * A small button with a picture is as large on a phone as a finger needs. It reaches into the space
 * around it, so that nothing moves.
 */
export const fingerSize = {
  [onNarrow]: { minWidth: '32px', maxWidth: '32px', minHeight: '32px', margin: '-4px' },
} as const;

/** One line of text, cut with an ellipsis when there is no room. */
export const oneLine = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' } as const;

/**
 * A pane that scrolls separately. It is the containing block of hidden content inside it, which
 * would otherwise make the page scroll.
 */
export const scrollPane = { position: 'relative', flexGrow: 1, minHeight: 0, overflowY: 'auto' } as const;

/** Fades in over 120 ms. It changes only the opacity, so it is also right with reduced motion. */
export const fadeIn = {
  animationName: { from: { opacity: 0 }, to: { opacity: 1 } },
  animationDuration: tokens.durationFast,
  animationTimingFunction: 'ease-out',
} as const;

/**
 * The rows of a list of mail. On a phone there is space below them, so that the last row can be
 * scrolled above the round compose button.
 */
export const mailRows = {
  listStyleType: 'none',
  margin: 0,
  padding: 0,
  [onNarrow]: { paddingBottom: '72px' },
} as const;
