/*
 * The colours, sizes and shadows of the interface. This module runs only while building:
 * `build/theme-css.ts` writes it as one style sheet of custom properties, so that the right colours
 * are on the screen before any script has run. Components read the properties through Fluent's
 * `tokens` and our `own` (own-tokens.ts).
 */
import { type BrandVariants, createDarkTheme, createLightTheme, type Theme } from '@fluentui/react-components';
import type { OwnTokens } from './own-tokens.ts';
import { type Anchor, toneNeutrals } from './ramp.ts';

/**
 * Indigo, the colour of denim, a cloth that is known for its selvage. The accent is shade 80 in the
 * light theme and shade 130 in the dark one.
 */
const indigo: BrandVariants = {
  10: '#050716',
  20: '#0d1230',
  30: '#141b4b',
  40: '#1a2463',
  50: '#1f2c77',
  60: '#26338a',
  70: '#2a3894',
  80: '#2f3e9e',
  90: '#4a58b4',
  100: '#6472c6',
  110: '#7a88d8',
  120: '#8a98ec',
  130: '#9aa8ff',
  140: '#b2bdff',
  150: '#ced5ff',
  160: '#e9ecfb',
};

/** Warm paper: white surfaces on an ecru background. */
const paper: Anchor[] = [
  [0x00, '#000000'],
  [0x24, '#1d1c1a'],
  [0x42, '#3b3833'],
  [0x61, '#5f5b53'],
  [0x70, '#6b675f'],
  [0xbd, '#b9b4aa'],
  [0xd1, '#d2cdc4'],
  [0xe0, '#e6e3dc'],
  [0xf0, '#efece6'],
  [0xf5, '#f5f3ef'],
  [0xfa, '#f7f6f3'],
  [0xff, '#ffffff'],
];

/** Night: blue-black surfaces in steps of lightness, with ecru text. */
const night: Anchor[] = [
  [0x00, '#050609'],
  [0x14, '#0b0d11'],
  [0x1f, '#0f1115'],
  [0x24, '#12141a'],
  [0x29, '#15171e'],
  [0x2e, '#191c24'],
  [0x33, '#1c1f28'],
  [0x3d, '#22262f'],
  [0x52, '#2a2e39'],
  [0x5c, '#595d68'],
  [0x66, '#4a4f5c'],
  [0x70, '#5a5f6c'],
  [0x99, '#97948c'],
  [0xad, '#a6a39b'],
  [0xd6, '#cfccc5'],
  [0xff, '#e9e7e2'],
];

/**
 * Sizes that both themes share. There are six sizes and two weights of type. Corners have a radius
 * of 6 px, and 10 px on floating surfaces.
 */
const shared = {
  fontFamilyBase:
    "system-ui, -apple-system, 'Segoe UI Variable Text', 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
  fontSizeBase100: '12px',
  lineHeightBase100: '16px',
  fontSizeBase600: '20px',
  lineHeightBase600: '28px',
  fontWeightMedium: 600,
  fontWeightBold: 600,
  borderRadiusMedium: '6px',
  borderRadiusXLarge: '10px',
  durationFast: '120ms',
  durationNormal: '120ms',
};

const light = toneNeutrals(createLightTheme(indigo), paper);
const dark = toneNeutrals(createDarkTheme(indigo), night);

export const lightTheme: Theme = {
  ...light,
  ...shared,
  colorBrandBackgroundHover: indigo[60],
  colorNeutralBackground1Hover: '#f7f6f3',
  colorSubtleBackgroundHover: '#efece6',
  colorStrokeFocus2: indigo[80],
  colorBackgroundOverlay: 'rgba(29, 28, 26, 0.45)',
};

export const darkTheme: Theme = {
  ...dark,
  ...shared,
  // The accent is light in the dark theme, so text on it is dark
  colorBrandBackground: indigo[130],
  colorBrandBackgroundHover: indigo[140],
  colorBrandBackgroundPressed: indigo[110],
  colorBrandBackgroundSelected: indigo[130],
  colorNeutralForegroundOnBrand: '#15171e',
  colorCompoundBrandBackground: indigo[130],
  colorCompoundBrandBackgroundHover: indigo[140],
  colorCompoundBrandStroke: indigo[130],
  colorCompoundBrandForeground1: indigo[130],
  colorBrandStroke1: indigo[130],
  colorBrandForeground1: indigo[130],
  colorBrandForeground2: indigo[140],
  colorBrandForegroundLink: indigo[130],
  colorBrandForegroundLinkHover: indigo[140],
  colorBrandForegroundLinkPressed: indigo[120],
  colorNeutralForeground2BrandHover: indigo[130],
  colorNeutralForeground2BrandPressed: indigo[120],
  colorNeutralForeground2BrandSelected: indigo[130],
  colorBrandBackground2: '#1d2247',
  colorBrandBackground2Hover: '#252b57',
  colorBrandBackground2Pressed: '#191d3d',
  colorNeutralBackground1Hover: '#1c1f28',
  colorSubtleBackgroundHover: '#1c1f28',
  colorSubtleBackgroundPressed: '#15171e',
  colorSubtleBackgroundSelected: '#22262f',
  // Floating surfaces have a thin border in the dark theme, where their shadow can't be seen
  colorTransparentStroke: '#2a2e39',
  colorStrokeFocus1: '#0f1115',
  colorStrokeFocus2: indigo[130],
  colorBackgroundOverlay: 'rgba(0, 0, 0, 0.6)',
};

/** Values for which Fluent has no token, in both themes. */
export const lightOwn: OwnTokens = {
  stateGood: '#1c6b3a',
  stateGoodPaper: '#e7f2e9',
  stateWaiting: '#8a5300',
  stateWaitingPaper: '#faf0dc',
  stateBad: '#a3262a',
  stateBadPaper: '#fbeaea',
  stateHeld: '#6a3fa0',
  stateHeldPaper: '#f1ebf9',
  star: '#b7791f',
  series1: '#2f3e9e',
  series2: '#946010',
  weft: '#d8cdb4',
  warp: '#b5392f',
  ownWords: '#f0f1fa',
};

export const darkOwn: OwnTokens = {
  stateGood: '#7fcf9a',
  stateGoodPaper: '#13271b',
  stateWaiting: '#f0b95c',
  stateWaitingPaper: '#2c2110',
  stateBad: '#f59a97',
  stateBadPaper: '#331619',
  stateHeld: '#c7a8f0',
  stateHeldPaper: '#241a33',
  star: '#e0a94a',
  series1: '#9aa8ff',
  series2: '#e0a94a',
  weft: '#8d8470',
  warp: '#d15a4f',
  ownWords: '#1a1d33',
};

/** Heights in pixels, by the density that a person has chosen. */
export const densities = {
  comfortable: { mailRow: 40, tableRow: 44, control: 32 },
  compact: { mailRow: 32, tableRow: 36, control: 28 },
  relaxed: { mailRow: 64, tableRow: 52, control: 32 },
} as const;
