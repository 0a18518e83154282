import { expect, it } from 'vitest';
import { contrastOf } from '../gallery/contrast.ts';
import { darkOwn, darkTheme, lightOwn, lightTheme } from './themes.ts';

const rgb = (hex: string) => `rgb(${[1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join(', ')})`;

it.each([
  ['light', lightOwn, lightTheme],
  ['dark', darkOwn, darkTheme],
])('the names of lines can be read beside the point of a chart: %s', (_name, own, theme) => {
  const paper = rgb(theme.colorNeutralBackground1);
  // WCAG 2.2, 1.4.3
  const tooPale = [own.series1, own.series2].filter((colour) => contrastOf(rgb(colour), paper) < 4.5);
  expect(tooPale).toEqual([]);
});
