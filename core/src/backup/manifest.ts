import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../operator-error.ts';

/*
 * A directory of backups:
 *
 *   SELVAGE-BACKUP                  says what the directory is, and of which host
 *   blobs/                          the bytes of all snapshots, stored as on the host
 *   2026-11-30T02-00-00Z/           one snapshot, under the time (UTC) at which it was taken
 *     database.sql.gz               the dump
 *     blobs.list                    the keys of the blobs that its rows refer to, in their order
 *     files/                        secrets, certificate, settings
 *     manifest.json                 written last
 *   unfinished-…/                   a snapshot that is being made, or was interrupted
 */

const digest = z.string().regex(/^[0-9a-f]{64}$/);
const whole = z.number().int().min(0);

const manifestSchema = z.object({
  /** Version of the format of the directory and of this file. */
  format: z.literal(1),
  /**
   * Version of Selvage, for people. Whether a host can restore the snapshot depends on `schema`.
   */
  version: z.string(),
  takenAt: z.iso.datetime(),
  hostname: z.string(),
  /** Schema steps of the database, in their order. */
  schema: z.array(z.string()),
  /** Every other file of the snapshot: its path in there, SHA-256 and size in bytes. */
  files: z.array(z.object({ path: z.string(), sha256: digest, bytes: whole })),
  blobs: z.object({ count: whole, bytes: whole }),
  /** Rows of the snapshot. `waiting` are deliveries that had not left yet. */
  rows: z.object({ companies: whole, users: whole, messages: whole, waiting: whole }),
  /** Keys without bytes: those in `lost`, and those of messages that no person has. */
  absent: z.array(digest),
  /** Keys of blobs that rows need and that the host itself had lost. */
  lost: z.array(digest),
});

/** What a snapshot holds. */
export type Manifest = z.infer<typeof manifestSchema>;

/** A snapshot that is whole. */
export interface Snapshot {
  /** Its name in the directory. */
  name: string;
  path: string;
  manifest: Manifest;
}

export const markFile = 'SELVAGE-BACKUP';
export const manifestFile = 'manifest.json';
export const dumpFile = 'database.sql.gz';
export const listFile = 'blobs.list';
export const keyFile = 'files/secrets/secret-key';
export const settingsFile = 'files/settings.env';
export const unfinished = 'unfinished-';
const snapshotName = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;

/** The name of a snapshot that is taken at a moment. */
export function nameOf(takenAt: Date): string {
  return `${takenAt.toISOString().slice(0, 19).replaceAll(':', '-')}Z`;
}

/** Names of the finished snapshots of a directory, the oldest first; none if it is not there. */
export async function listSnapshots(directory: string): Promise<string[]> {
  try {
    return (await readdir(directory)).filter((name) => snapshotName.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

/** @throws OperatorError when the directory has no such snapshot, or its manifest can't be used */
export async function openSnapshot(directory: string, wanted?: string): Promise<Snapshot> {
  const names = await listSnapshots(directory);
  const name = wanted ?? names.at(-1);
  if (name === undefined) throw new OperatorError(`there is no finished backup in ${directory}`);
  if (!names.includes(name)) throw new OperatorError(`there is no finished backup ${name} in ${directory}`);
  const path = join(directory, name);
  return { name, path, manifest: parseManifest(await readManifest(path), path) };
}

async function readManifest(path: string): Promise<string> {
  try {
    return await readFile(join(path, manifestFile), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new OperatorError(`${path} has no manifest, so it is no whole backup`, { cause: error });
  }
}

function parseManifest(text: string, path: string): Manifest {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new OperatorError(`the manifest of ${path} is damaged`, { cause: error });
  }
  const format = z.object({ format: z.number() }).safeParse(json).data?.format ?? 0;
  if (format > 1)
    throw new OperatorError(`${path} was made by a newer version of Selvage; restore it with that version`);
  const parsed = manifestSchema.safeParse(json);
  if (!parsed.success) throw new OperatorError(`the manifest of ${path} is damaged`, { cause: parsed.error });
  return parsed.data;
}

/** SHA-256 and size of a file. */
export async function digestFile(path: string, signal?: AbortSignal): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) {
    signal?.throwIfAborted();
    hash.update(chunk as Buffer);
    bytes += (chunk as Buffer).length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/**
 * Compares the files of a snapshot with its manifest. Answers for each that differs, by its path in
 * the snapshot, how it does.
 */
export async function damagedFiles(snapshot: Snapshot, signal?: AbortSignal): Promise<Map<string, string>> {
  const damaged = new Map<string, string>();
  for (const { path } of snapshot.manifest.files) {
    const damage = await damageOf(snapshot, path, signal);
    if (damage !== null) damaged.set(path, damage);
  }
  return damaged;
}

/** How a file of a snapshot differs from the manifest, in words; null when it does not. */
export async function damageOf(
  { path, manifest }: Snapshot,
  name: string,
  signal?: AbortSignal,
): Promise<string | null> {
  const file = join(path, name);
  const written = manifest.files.find((one) => one.path === name);
  try {
    return (await digestFile(file, signal)).sha256 === written?.sha256 ? null : `${file} was changed`;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return `${file} is missing`;
  }
}
