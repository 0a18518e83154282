import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type { Plugin } from 'vite';

const CONTRACT = /\/core\/src\/contracts\/[\w-]+\.ts$/;
const WHOLE = '?whole';
/** The facts of a call that the browser needs to make it. */
const FACTS = ['method', 'path', 'needs', 'bodyKind', 'fileField', 'flat', 'paged', 'list'] as const;

/**
 * Keeps the schemas of contracts, and with them all of zod, out of the first load: the mail screens
 * need only the plain facts of a call. So each contract is run during the build, and its module is
 * replaced by its plain facts. All that is not plain (a schema, a function) comes from the whole
 * module, which loads with the screens that import it by name. So an endpoint has no schemas here,
 * and a form imports the schema with which it validates.
 */
export function contractFacts(): Plugin {
  return {
    name: 'contract-facts',
    enforce: 'pre',
    async load(id) {
      if (id.endsWith(WHOLE))
        return { code: await readFile(id.slice(0, -WHOLE.length), 'utf8'), moduleSideEffects: false };
      if (!CONTRACT.test(id)) return null;
      this.addWatchFile(id);
      const contract = (await import(pathToFileURL(id).href)) as Record<string, unknown>;
      const lines = Object.entries(contract).map(([name, value]) => {
        const facts = factsOf(value);
        if (facts === undefined) return `export { ${name} } from ${JSON.stringify(id + WHOLE)};`;
        return `export const ${name} = ${JSON.stringify(facts)};`;
      });
      return { code: lines.join('\n'), moduleSideEffects: false };
    },
  };
}

function factsOf(value: unknown): unknown {
  if (isObject(value) && typeof value['method'] === 'string' && typeof value['path'] === 'string') {
    return Object.fromEntries(FACTS.filter((name) => name in value).map((name) => [name, value[name]]));
  }
  return isPlain(value) ? value : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (isObject(value)) return Object.getPrototypeOf(value) === Object.prototype && Object.values(value).every(isPlain);
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}
