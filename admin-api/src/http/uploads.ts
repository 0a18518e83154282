import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { unavailable } from '@selvage/core/errors';
import type { Config } from '@selvage/core/process/config';
import { log } from '@selvage/core/log';
import { isLeftBehind } from '@selvage/core/temporary-files';

/** A file of a multipart body, on disk until the request ends. */
export interface UploadedFile {
  /** Name of the form's field. */
  field: string;
  path: string;
  /** The file name that the caller gave, without any folder. */
  name: string;
  contentType: string;
  size: number;
}

/** The folder for uploaded files of running requests. */
export function uploadDirectory(config: Config): string {
  return join(config.dataDir, 'tmp', 'uploads');
}

/**
 * Makes the folder for uploads, and removes the files of processes that died: a program that dies
 * again and again must not fill the disk. Called once at the start.
 */
export async function prepareUploads(config: Config): Promise<void> {
  await mkdir(uploadDirectory(config), { recursive: true, mode: 0o700 });
  await sweepUploads(config);
}

/**
 * Refuses files that are shorter on disk than what the client sent. When the disk is full,
 * formidable may end before it learns of the failed write.
 * @throws 503
 */
export async function refuseCutShort(files: UploadedFile[]): Promise<void> {
  for (const { path, size } of files) {
    const info = await stat(path).catch(() => null); // The reader of the form removed it, so it is not whole either
    if (info?.size !== size) throw unavailable('an upload could not be written to its end');
  }
}

/** Removes files by path. Files that do not exist are ignored. */
export async function removeFiles(paths: Iterable<string>): Promise<void> {
  for (const path of paths) {
    await rm(path, { force: true }).catch((error: unknown) => {
      // The sweep removes it later, so the request need not fail
      log.warn('upload could not be removed', { path, error });
    });
  }
}

/** Removes files of requests whose process died. Returns how many were removed. */
export async function sweepUploads(config: Config): Promise<number> {
  const directory = uploadDirectory(config);
  let removed = 0;
  for (const name of await readdir(directory)) {
    const path = join(directory, name);
    const info = await stat(path).catch(() => null); // Another sweep removed it meanwhile
    if (!info || !isLeftBehind(name, info.mtimeMs)) continue;
    await removeFiles([path]);
    removed += 1;
  }
  return removed;
}

/** The last part of the caller's file name: formidable passes `../../etc/passwd` through. */
export function baseName(name: string): string {
  const last = name.split(/[\\/]/).pop() ?? '';
  const clean = last.replace(/\p{Cc}/gu, '').trim();
  return clean === '' || clean === '.' || clean === '..' ? 'file' : clean.slice(0, 255);
}
