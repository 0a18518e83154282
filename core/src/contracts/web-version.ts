/** Header of every answer below `/api`: the version of the web app that this server has now. Absent where none was built. */
export const webVersionHeader = 'X-Selvage-Web';

/**
 * The version of a built web app, told by the address of its first script, whose name the build makes from the content of all of them. The
 * server takes it from its index.html; a page that is open knows its own by
 * `document.querySelector('script[type="module"][src]')`. Null for what is no script of a build, as while developing.
 */
export function webVersionOf(scriptAddress: string): string | null {
  return /\/assets\/([\w-]+)\.js$/.exec(scriptAddress)?.[1] ?? null;
}
