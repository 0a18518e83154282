import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Manifest, manifestFile } from '@selvage/core/backup/manifest';
import type { Ctx } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { Message } from '@selvage/core/models/message';
import type { Mailbox } from './factories.ts';
import { runCommand, type RunningCommand, startCommand } from './start-command.ts';
import { stopAtEnd } from './end-of-file.ts';

/** A directory of backups, and the commands that use it. */
export interface Backups {
  directory: string;
  /** The commands, run with the environment of a host. */
  backUp(host: NodeJS.ProcessEnv, ...options: string[]): RunningCommand['ended'];
  startBackup(host: NodeJS.ProcessEnv): RunningCommand;
  restore(host: NodeJS.ProcessEnv, ...options: string[]): RunningCommand['ended'];
  startRestore(host: NodeJS.ProcessEnv): RunningCommand;
  release(host: NodeJS.ProcessEnv): RunningCommand['ended'];
  /** Names of the finished snapshots, the oldest first. */
  snapshots(): Promise<string[]>;
  /** Path of a blob. */
  blob(key: string): string;
  /** Keys of all blobs. */
  blobs(): Promise<string[]>;
  manifest(name: string): Promise<Manifest>;
  changeManifest(name: string, change: (manifest: Manifest) => void): Promise<void>;
}

/** An empty directory for backups, which is removed at the end of the test file. */
export async function makeBackups(directory?: string): Promise<Backups> {
  const place = directory ?? (await mkdtemp(join(tmpdir(), 'selvage-backups-')));
  stopAtEnd(async () => {
    try {
      await rm(place, { recursive: true, force: true });
    } catch (error) {
      // One test uses a path below a file, where no directory can exist
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOTDIR')) throw error;
    }
  });
  const program = 'ops/backup.ts';
  const read = async (name: string) => JSON.parse(await readFile(join(place, name, manifestFile), 'utf8')) as Manifest;
  return {
    directory: place,
    backUp: (host, ...options) => runCommand(program, [place, ...options], host),
    startBackup: (host) => startCommand(program, [place], host),
    restore: (host, ...options) => runCommand('ops/restore.ts', [place, ...options], host),
    startRestore: (host) => startCommand('ops/restore.ts', [place], host),
    release: (host) => runCommand('ops/restore.ts', ['--release-outgoing'], host),
    snapshots: async () => (await readdir(place)).filter((name) => name.startsWith('2')).sort(),
    blob: (key) => join(place, 'blobs', key.slice(0, 2), key),
    blobs: async () => {
      const names = await readdir(join(place, 'blobs'), { recursive: true });
      return names.map((name) => name.slice(-64)).filter((name) => /^[0-9a-f]{64}$/.test(name));
    },
    manifest: read,
    changeManifest: async (name, change) => {
      const manifest = await read(name);
      change(manifest);
      await writeFile(join(place, name, manifestFile), JSON.stringify(manifest));
    },
  };
}

/** Makes a complete backup. */
export async function makeWhole(
  backups: Backups,
  host: NodeJS.ProcessEnv,
): Promise<{ name: string; manifest: Manifest }> {
  const { code, output } = await backups.backUp(host);
  if (code !== 0) throw new Error(`the backup ended with ${code}:\n${output}`);
  const name = (await backups.snapshots()).at(-1) ?? '';
  return { name, manifest: await backups.manifest(name) };
}

/** Stores messages with different bytes. Returns the keys of their blobs. */
export async function storeMessages(ctx: Ctx, mailbox: Mailbox, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let stored = 0; stored < count; stored += 1) {
    const { messageId } = await receive(ctx, [mailbox], { body: randomUUID() });
    keys.push((await Message.findByPk(messageId, { rejectOnEmpty: true })).blobKey);
  }
  return keys;
}

/** The lines that a statement returns from a host's database. */
export function readOf(host: NodeJS.ProcessEnv, statement: string): string[] {
  const url = new URL(host['DATABASE_URL'] ?? '');
  const socket = url.searchParams.get('socket');
  const place = socket ? [`--socket=${socket}`] : [`--host=${url.hostname}`, `--port=${url.port}`];
  const args = ['--no-defaults', '--skip-ssl', ...place, `--user=${url.username}`, '-N', '-e', statement];
  const env = { ...process.env, MYSQL_PWD: url.password };
  const answer = execFileSync('mariadb', [...args, url.pathname.slice(1)], { env, encoding: 'utf8' });
  return answer.trim() === '' ? [] : answer.trim().split('\n');
}
