import { execFileSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** The system account that an engine runs as, and how to start a command as that account. */
export interface Identity {
  user: string;
  uid: number;
  gid: number;
  /** Words to put before a command. */
  prefix: string[];
}

/** The full path of a program on PATH or in the folders where Debian keeps servers, or null. */
export function findProgram(names: string[]): string | null {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin', '/sbin'];
  for (const path of names.flatMap((name) => folders.map((folder) => join(folder, name)))) {
    try {
      accessSync(path, constants.X_OK);
      return path;
    } catch {
      // Not there: look in the next folder
    }
  }
  return null;
}

/**
 * The command prefix that binds a child to its parent: the kernel sends the child SIGTERM when the
 * supervisor is killed.
 */
export function boundToParent(): string[] {
  const setpriv = findProgram(['setpriv']);
  return setpriv ? [setpriv, '--pdeathsig', 'TERM'] : [];
}

/**
 * Chooses the account of an engine. Started by root, it runs as its own account if that account can
 * enter the data directory (a closed home such as /root keeps it out). Otherwise it runs as the
 * current user.
 */
export function engineIdentity(accounts: string[], dataDir: string): Identity {
  const prefix = boundToParent();
  const uid = process.getuid?.() ?? 0;
  const self = { user: accountName(uid), uid, gid: process.getgid?.() ?? 0, prefix };
  if (uid !== 0 || prefix.length === 0) return self;
  for (const user of accounts) {
    const ids = accountIds(user);
    if (ids && canWalk(dataDir, ids)) {
      const as = [`--reuid=${ids.uid}`, `--regid=${ids.gid}`, '--clear-groups'];
      return { user, ...ids, prefix: [...prefix.slice(0, 1), ...as, ...prefix.slice(1)] };
    }
  }
  return self;
}

function accountName(uid: number): string {
  return execFileSync('id', ['-un', String(uid)], { encoding: 'utf8' }).trim();
}

function accountIds(user: string): { uid: number; gid: number } | null {
  try {
    const ask = (flag: string) => Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: 'pipe' }));
    return { uid: ask('-u'), gid: ask('-g') };
  } catch {
    // No such account on this machine
    return null;
  }
}

function canWalk(dir: string, ids: { uid: number; gid: number }): boolean {
  for (let path = dir; ; path = dirname(path)) {
    const { mode, uid, gid } = statSync(path);
    const bit = uid === ids.uid ? 0o100 : gid === ids.gid ? 0o010 : 0o001;
    if (!(mode & bit)) return false;
    if (path === dirname(path)) return true;
  }
}
