import { messageOf } from '@selvage/core/errors';
import { access, constants, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { log } from '@selvage/core/log';
import type { Config } from '@selvage/core/process/config';

/**
 * How often to look for the folder again, since the operator may add or remove a site while this
 * process runs.
 */
const lookAgainMs = 2000;

/** The public site that is delivered with Selvage. */
export const shippedSite = join(import.meta.dirname, '../../../webmail/site');

/** Returns the folder of the public site; null when there is none. */
export type SiteFolder = () => Promise<string | null>;

/**
 * Watches which folder is the public site: the operator's own, or the shipped one if there is no
 * other. An operator's folder without a start page is no site. The shipped site does not replace
 * it, since it would show another company under the operator's name.
 */
export function watchSiteFolder(own: NonNullable<Config['publicSite']>, shipped = shippedSite): SiteFolder {
  let lookedAt = Number.NEGATIVE_INFINITY;
  let found: Promise<string | null> = Promise.resolve(null);
  let said = '';
  const look = async (): Promise<string | null> => {
    const isShipped = !own.isNamed && !(await isThere(own.directory));
    const folder = isShipped ? shipped : own.directory;
    const problem = await problemOf(folder);
    const saying = `${folder} ${String(problem)}`;
    if (saying !== said && problem === null) log.info('the public site is shown', { folder, isShipped });
    if (saying !== said && problem !== null) {
      log.warn('the public site is not shown, and `/` leads to the login page', { folder, problem });
    }
    said = saying;
    return problem === null ? await realpath(folder) : null;
  };
  return () => {
    if (performance.now() - lookedAt > lookAgainMs) {
      lookedAt = performance.now();
      found = look().catch((error: unknown) => {
        log.warn('the folder of the public site cannot be read', { error });
        return null;
      });
    }
    return found;
  };
}

async function isThere(folder: string): Promise<boolean> {
  try {
    await stat(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOENT';
  }
}

async function problemOf(folder: string): Promise<string | null> {
  const page = join(folder, 'index.html');
  try {
    if (!(await stat(page)).isFile()) return 'index.html is not a file';
    await access(page, constants.R_OK);
    return null;
  } catch (error) {
    return messageOf(error);
  }
}
