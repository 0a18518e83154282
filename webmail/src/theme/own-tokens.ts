/** Names of the custom properties besides Fluent's: states, charts, the woven line. */
const names = [
  'stateGood',
  'stateGoodPaper',
  'stateWaiting',
  'stateWaitingPaper',
  'stateBad',
  'stateBadPaper',
  'stateHeld',
  'stateHeldPaper',
  'star',
  'series1',
  'series2',
  'weft',
  'warp',
  'ownWords',
] as const;
type OwnToken = (typeof names)[number];
export type OwnTokens = Record<OwnToken, string>;

/** Our tokens for `makeStyles`, as Fluent's `tokens`. */
export const own = Object.fromEntries(names.map((name) => [name, `var(--${name})`])) as OwnTokens;

/** Heights that follow the chosen density. */
export const heights = { mailRow: 'var(--mailRow)', tableRow: 'var(--tableRow)', control: 'var(--control)' } as const;

/** Widths that screens share. */
export const widths = { form: '560px', page: '960px', reading: '80ch', navigation: '232px', rail: '56px' } as const;
