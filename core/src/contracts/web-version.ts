/**
 * Header of every answer below `/api`: the version of the web app that this server has now. Absent
 * where none was built.
 */
export const webVersionHeader = 'X-Selvage-Web';

/**
 * The version of a built web app: the name of its first script, which the build makes from the
 * content of all scripts. The server takes the address from its index.html. An open page takes its
 * own from `document.querySelector('script[type="module"][src]')`. Null for what is no script of a
 * build, as while developing.
 */
export function webVersionOf(scriptAddress: string): string | null {
  return /\/assets\/([\w-]+)\.js$/.exec(scriptAddress)?.[1] ?? null;
}
