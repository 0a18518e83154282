import type { Plugin } from 'vite';

const ROUTER = /\/node_modules\/react-router\/dist\/.*\.mjs$/;

/**
 * What keeps a part of the router in the build although nothing imports it, and what stands in its
 * place.
 */
const CHANGES: [pattern: RegExp, text: string][] = [
  // a name for React's developer tools, which is an effect on the part that it names
  [/^\w+\.displayName = "[^"]*";$/gm, ''],
  // a call of React, of which the bundler cannot know that it has no effect
  [/^(var \w+ = )(?=React\d*\.(?:forwardRef|memo)\()/gm, '$1/* @__PURE__ */ '],
  // the package gives every bundler the variant that warns developers; this line is the whole
  // difference
  [/^var ENABLE_DEV_WARNINGS = true;$/m, 'var ENABLE_DEV_WARNINGS = false;'],
];

/**
 * Keeps the parts of React Router that the app does not use out of the first load, such as its
 * forms and its warnings. The router works the same with them: a release that is written in another
 * way only weighs more, and the weights of a first visit show it.
 */
export function leanRouter(): Plugin {
  return {
    name: 'lean-router',
    apply: 'build',
    transform: (code, id) => {
      if (!ROUTER.test(id)) return null;
      return { code: CHANGES.reduce((text, [pattern, other]) => text.replace(pattern, other), code), map: null };
    },
  };
}
