import type { Plugin } from 'vite';

const ROUTER = /\/node_modules\/react-router\/dist\/.*\.mjs$/;

/**
 * Patterns that keep parts of the router in the build although the app never runs them, and their
 * replacements.
 */
const CHANGES: [pattern: RegExp, text: string][] = [
  // A name for React's developer tools. The assignment counts as a side effect, which keeps the
  // named part
  [/^\w+\.displayName = "[^"]*";$/gm, ''],
  // A call of React, or a new Set. The bundler can't know that these have no side effect
  [/^(var \w+ = )(?=React\d*\.(?:createContext|forwardRef|memo)\(|new Set\()/gm, '$1/* @__PURE__ */ '],
  // As above, for a class that extends a class of React
  [/^(var \w+ = )(class extends React\d*\.Component \{[^]*?^\});$/gm, '$1/* @__PURE__ */ (() => $2)();'],
  // The package gives every bundler the variant with warnings for developers. This line is the only
  // difference between the variants
  [/^var ENABLE_DEV_WARNINGS = true;$/m, 'var ENABLE_DEV_WARNINGS = false;'],
  // Links that prefetch the data of their page, which only the router's own server can answer
  [/^( *)return shouldPrefetch && .*\bPrefetchPageLinks\b.* : link;$/m, '$1return link;'],
  [/ = usePrefetchBehavior\(\s*prefetch,\s*rest\s*\);$/m, ' = [false, null, {}];'],
  [/\bmergeRefs\(forwardedRef, prefetchRef\)/, 'forwardedRef'],
  // Routes that load data: the app uses a router without them (GuardedRouter), and has its own
  // error pages
  [/^( *)let dataRouterState = dataRouterOpts\?\.state;$/m, '$1const dataRouterState = void 0;'],
  [/\bdataRouterState (?=&& \(match\.route\.ErrorBoundary\b)/, 'false '],
  [/^RenderErrorBoundary\.contextType = .*;$/m, ''],
  [/\bdataRouterOpts && dataRouterOpts\.state\.matches\.length \?/, 'false ?'],
  [/\bisDataRoute \? useNavigateStable\(\) : /, ''],
];

/**
 * Removes parts of React Router that the app does not use from the first load, such as its forms
 * and its warnings. The router works the same with or without them. If a release is written
 * differently, a pattern no longer matches. Then the first visit only gets larger, which the page
 * weights show.
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
