import type { Plugin } from 'vite';
import { darkOwn, darkTheme, densities, lightOwn, lightTheme } from '../src/theme/themes.ts';

const NAME = 'virtual:theme.css';
/**
 * Excludes Fluent's palettes for avatars and presence that the webmail does not show. Fluent has
 * forty.
 */
const PALETTES =
  /^colorPalette(?!Red|Green|Yellow|Marigold|DarkOrange|LightGreen|Blue|Teal|Forest|Plum|Grape|Brown|Steel)/;

type Values = Record<string, string | number>;

function declarations(values: Values): string {
  return Object.entries(values)
    .filter(([name]) => !PALETTES.test(name))
    .map(([name, value]) => `--${name}:${value};`)
    .join('');
}

/** The values that differ from the light theme. */
function changes(dark: Values, light: Values): Values {
  return Object.fromEntries(Object.entries(dark).filter(([name, value]) => light[name] !== value));
}

function pixels(sizes: Values): Values {
  return Object.fromEntries(Object.entries(sizes).map(([name, value]) => [name, `${value}px`]));
}

/**
 * The style sheet of the themes. `.paper` is light in both, since mail and captcha pictures are
 * made for a white background. It also has the page's own colours, so that the first paint is
 * already right.
 */
export function themeCss(): string {
  const light: Values = { ...lightTheme, ...lightOwn };
  const dark = changes({ ...darkTheme, ...darkOwn }, light);
  return [
    `:root,.paper{color-scheme:light;${declarations(light)}}`,
    `:root[data-theme=dark]{color-scheme:dark;${declarations(dark)}}`,
    `:root{${declarations(pixels(densities.comfortable))}}`,
    `:root[data-density=compact]{${declarations(pixels(densities.compact))}}`,
    `:root[data-density=relaxed]{${declarations(pixels(densities.relaxed))}}`,
    'html,body{margin:0;height:100%}',
    'body{background:var(--colorNeutralBackground2);color:var(--colorNeutralForeground1);font:14px/20px var(--fontFamilyBase)}',
    // On paper a page has its whole length, and nothing to press
    '@media print{html,body,#root,#root :is(div,main){height:auto!important;overflow:visible!important}#root :is(nav,[role=toolbar],[role=status],header:has(nav),:has(>main)>:not(main)){display:none}}',
    '.first-paint{display:flex;gap:12px;align-items:center;justify-content:center;height:100vh;font-size:20px;font-weight:600}',
  ].join('\n');
}

/** Provides `virtual:theme.css`, and builds it again when a colour is edited. */
export function themeStyles(): Plugin {
  return {
    name: 'theme-styles',
    resolveId: (id) => (id === NAME ? NAME : null),
    load: (id) => (id === NAME ? themeCss() : null),
  };
}
