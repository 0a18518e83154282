import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';

/** A library whose internals are used, beyond its public interface. */
export interface UsedInside {
  name: string;
  /** The version whose source was read and tested. It is also the one in package.json. */
  version: string;
  /** `import.meta.url` of the file that uses it. */
  from: string;
  /** The internal members that are used, and whether each is there. */
  members: Record<string, boolean>;
}

/**
 * Refuses any version of a library but the one whose internals are used. Internals may change with
 * any version. Such a change would not fail visibly: mail would be lost, or doors would stay open.
 * @throws Error with a sentence for the operator
 */
export function assertLibrary({ name, version, from, members }: UsedInside): void {
  const file = from.slice(from.lastIndexOf('/') + 1);
  const found = installedVersion(name, from);
  if (found !== version) {
    throw new Error(
      `${file} was written for ${name} ${version}, but ${found ?? 'none'} is installed: run npm ci, or check the file against it`,
    );
  }
  const missing = Object.keys(members).filter((member) => !members[member]);
  if (missing.length > 0) throw new Error(`${file} uses what ${name} ${version} does not have: ${missing.join(', ')}`);
}

function installedVersion(name: string, from: string): string | null {
  const path = findPackageJSON(name, from);
  return path === undefined ? null : (JSON.parse(readFileSync(path, 'utf8')) as { version: string }).version;
}
