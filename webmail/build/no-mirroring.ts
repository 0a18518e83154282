import type { Plugin } from 'vite';

const library = 'rtl-css-js/core';
const own = '\0no-mirroring';

const code = `
export const convert = (styles) => styles;
export const convertProperty = (key, value) => ({ key, value });
`;

/**
 * Removes the library that mirrors Fluent's styles for right-to-left languages. The app has no such
 * language, so the library would only make a useless second form of each style. Delete this plugin
 * when the app gets the first such language.
 */
export function noMirroring(): Plugin {
  return {
    name: 'no-mirroring',
    enforce: 'pre',
    resolveId: (id) => (id === library ? own : null),
    load: (id) => (id === own ? code : null),
  };
}
