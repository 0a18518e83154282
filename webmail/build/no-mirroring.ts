import type { Plugin } from 'vite';

const library = 'rtl-css-js/core';
const own = '\0no-mirroring';

const code = `
export const convert = (styles) => styles;
export const convertProperty = (key, value) => ({ key, value });
`;

/**
 * Leaves out the library by which Fluent's styles are mirrored for languages that run from right to
 * left: the app has none, and would make a second form of each style for nothing. With the first
 * such language this plugin goes.
 */
export function noMirroring(): Plugin {
  return {
    name: 'no-mirroring',
    enforce: 'pre',
    resolveId: (id) => (id === library ? own : null),
    load: (id) => (id === own ? code : null),
  };
}
