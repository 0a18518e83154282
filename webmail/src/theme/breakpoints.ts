/** Widths at which the interface changes its shape. Media conditions for `matchMedia`. */
export const PHONE = '(max-width: 479px)';
/** Tables become cards, the navigation a bar at the bottom. */
export const NARROW = '(max-width: 719px)';
/** The navigation folds away. */
export const COMPACT = '(max-width: 959px)';
/** Wide enough for a list of mail with the open message beside it. */
export const ROOMY = '(min-width: 1100px)';

/**
 * Where Fluent lets a dialog touch both edges of the screen. A rule of the app replaces Fluent's
 * when it has the same condition.
 */
export const onFluentPhone = '@media screen and (max-width: 480px)';

/** The same for `makeStyles`. */
export const onPhone = `@media ${PHONE}`;
export const onNarrow = `@media ${NARROW}`;
export const onCompact = `@media ${COMPACT}`;
