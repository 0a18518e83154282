/** Media conditions for `matchMedia`: widths at which the layout changes. */
export const PHONE = '(max-width: 479px)';
/** Tables become cards, the navigation a bar at the bottom. */
export const NARROW = '(max-width: 719px)';
/** The navigation is collapsed. */
export const COMPACT = '(max-width: 959px)';
/** Wide enough for a list of mail beside the open message. */
export const ROOMY = '(min-width: 1100px)';

/**
 * The width at which Fluent lets a dialog fill the screen's width. A rule of the app replaces
 * Fluent's only if it has the same condition.
 */
export const onFluentPhone = '@media screen and (max-width: 480px)';

/** The conditions above, for `makeStyles`. */
export const onPhone = `@media ${PHONE}`;
export const onNarrow = `@media ${NARROW}`;
export const onCompact = `@media ${COMPACT}`;
