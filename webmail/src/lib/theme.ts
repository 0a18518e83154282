import { type BrandVariants, createDarkTheme, createLightTheme, type Theme } from '@fluentui/react-components';

/** Indigo, the colour of denim: the cloth whose selvage people look for. */
const brand: BrandVariants = {
  10: '#060918',
  20: '#0f1533',
  30: '#162151',
  40: '#1c2c6b',
  50: '#243882',
  60: '#2f4596',
  70: '#3b53a8',
  80: '#4560b6',
  90: '#5671c5',
  100: '#6781cf',
  110: '#7b94d9',
  120: '#8fa5e2',
  130: '#a3b6ea',
  140: '#b8c7f1',
  150: '#ccd8f7',
  160: '#e1e9fc',
};

const shared = {
  fontFamilyBase: "'Segoe UI Variable Text', 'Segoe UI', system-ui, -apple-system, 'Helvetica Neue', Arial, sans-serif",
};

export const lightTheme: Theme = { ...createLightTheme(brand), ...shared };

export const darkTheme: Theme = {
  ...createDarkTheme(brand),
  ...shared,
  // the generated ones are too dark to read as text on a dark surface
  colorBrandForeground1: brand[120],
  colorBrandForeground2: brand[130],
  colorBrandForegroundLink: brand[120],
  colorBrandForegroundLinkHover: brand[130],
  colorNeutralForeground2BrandHover: brand[120],
  colorNeutralForeground2BrandPressed: brand[120],
  colorNeutralForeground2BrandSelected: brand[120],
};
