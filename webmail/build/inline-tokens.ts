import type { Plugin } from 'vite';

/** The modules of the webmail, and the styles of Fluent's components. */
const STYLED = /\/webmail\/src\/.*\.tsx?$|\/@fluentui\/react-[\w-]+\/lib\/.*\.js$/;
const IMPORTED = /import\s*\{[^}]*\btokens\b[^}]*\}\s*from\s*['"]@fluentui\/react-(?:components|theme)['"]/;
const TOKEN = /(?<![-./\w])tokens\.(\w+)\b/g;

/**
 * Replaces `tokens.colorBrandStroke1` by its text, `"var(--colorBrandStroke1)"`. Otherwise the
 * first load would contain Fluent's table of 450 names, of which the app uses 60. In a module that
 * does not import the table, `tokens` is something else, such as the tokens of a session.
 */
export function inlineTokens(): Plugin {
  return {
    name: 'inline-tokens',
    apply: 'build',
    enforce: 'pre',
    transform: (code, id) =>
      STYLED.test(id) && IMPORTED.test(code) ? { code: code.replace(TOKEN, '"var(--$1)"'), map: null } : null,
  };
}
