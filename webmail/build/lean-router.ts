import type { Plugin } from 'vite';

const ROUTER = /\/node_modules\/react-router\/dist\/.*\.mjs$/;

/**
 * What keeps a part of the router in the build although the app never runs it, and what stands in
 * its place.
 */
const CHANGES: [pattern: RegExp, text: string][] = [
  // a name for React's developer tools, which is an effect on the part that it names
  [/^\w+\.displayName = "[^"]*";$/gm, ''],
  // a call of React, or a set, of which the bundler cannot know that it has no effect
  [/^(var \w+ = )(?=React\d*\.(?:createContext|forwardRef|memo)\(|new Set\()/gm, '$1/* @__PURE__ */ '],
  // the same for a class that extends a class of React
  [/^(var \w+ = )(class extends React\d*\.Component \{[^]*?^\});$/gm, '$1/* @__PURE__ */ (() => $2)();'],
  // the package gives every bundler the variant that warns developers; this line is the whole
  // difference
  [/^var ENABLE_DEV_WARNINGS = true;$/m, 'var ENABLE_DEV_WARNINGS = false;'],
  // a link that fetches the data of its page ahead, which only the router's own server can answer
  [/^( *)return shouldPrefetch && .*\bPrefetchPageLinks\b.* : link;$/m, '$1return link;'],
  [/ = usePrefetchBehavior\(\s*prefetch,\s*rest\s*\);$/m, ' = [false, null, {}];'],
  [/\bmergeRefs\(forwardedRef, prefetchRef\)/, 'forwardedRef'],
  // routes that load data: the app has a router without them (GuardedRouter), and its own pages for
  // errors
  [/^( *)let dataRouterState = dataRouterOpts\?\.state;$/m, '$1const dataRouterState = void 0;'],
  [/\bdataRouterState (?=&& \(match\.route\.ErrorBoundary\b)/, 'false '],
  [/^RenderErrorBoundary\.contextType = .*;$/m, ''],
  [/\bdataRouterOpts && dataRouterOpts\.state\.matches\.length \?/, 'false ?'],
  [/\bisDataRoute \? useNavigateStable\(\) : /, ''],
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
