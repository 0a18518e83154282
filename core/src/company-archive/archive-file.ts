import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { nameFile, readDirectoryName } from '../mailstore/directory-name.ts';
import { endOfTar, fillOf, writeHeader } from './tar-format.ts';
import { sumsName } from './layout.ts';

/** How long an archive and its list of digests were when both were on the disk. */
export interface WrittenUpTo {
  bytes: number;
  sums: number;
}

/** The files of an archive in the directory of archives. */
export function pathsOf(directory: string, archiveId: string): { finished: string; unfinished: string; sums: string } {
  return {
    finished: join(directory, `${archiveId}.tar`),
    unfinished: join(directory, `${archiveId}.unfinished`),
    sums: join(directory, `${archiveId}.sums`),
  };
}

/** Removes all files of an archive. */
export async function removeFiles(directory: string, archiveId: string): Promise<void> {
  for (const path of Object.values(pathsOf(directory, archiveId))) await rm(path, { force: true });
}

/**
 * Lists the directory of archives.
 * @returns the names of its files, and the name of the directory; null when it has none
 * @throws when it can't be read
 */
export async function listDirectory(directory: string): Promise<{ names: string[]; place: string | null }> {
  const names = await readdir(directory);
  // If the disk is mounted between the two reads, its name does not belong to these names
  return { names, place: names.includes(nameFile) ? readDirectoryName(directory) : null };
}

/** Hashing blocks the event loop, so a large file is written piece by piece. */
const pieceBytes = 1_048_576;

/**
 * An archive that is being written. What is written after the last `sync` may be lost. The next
 * writer cuts it off and continues there.
 */
export class ArchiveFile {
  readonly #archive: FileHandle;
  readonly #sums: FileHandle;
  readonly #sumsPath: string;
  readonly #when: Date;
  #at: WrittenUpTo;

  private constructor(archive: FileHandle, sums: FileHandle, rest: { sumsPath: string; when: Date; at: WrittenUpTo }) {
    this.#archive = archive;
    this.#sums = sums;
    this.#sumsPath = rest.sumsPath;
    this.#when = rest.when;
    this.#at = { ...rest.at };
  }

  /**
   * Opens the files of an archive in a marked directory and cuts off what was written after the
   * last `sync`.
   * @param when the time of each file in the archive that is added without one
   * @throws LostFile when the files are shorter than they were at the last `sync`
   */
  static async open(
    directory: string,
    archiveId: string,
    { at, when }: { at: WrittenUpTo; when: Date },
  ): Promise<ArchiveFile> {
    const { unfinished, sums: sumsPath } = pathsOf(directory, archiveId);
    const archive = await openAt(unfinished, at.bytes);
    try {
      const sums = await openAt(sumsPath, at.sums);
      return new ArchiveFile(archive, sums, { sumsPath, when, at });
    } catch (error) {
      await archive.close();
      throw error;
    }
  }

  /** Bytes of the archive so far. */
  get bytes(): number {
    return this.#at.bytes;
  }

  /** Adds a file and its digest. */
  async add(name: string, content: Buffer, when = this.#when): Promise<void> {
    await this.#write(writeHeader({ name, size: content.length }, when));
    const hash = createHash('sha256');
    for (let start = 0; start < content.length; start += pieceBytes) {
      const piece = content.subarray(start, start + pieceBytes);
      hash.update(piece);
      await this.#write(piece);
    }
    await this.#write(Buffer.alloc(fillOf(content.length)));
    const line = Buffer.from(`${hash.digest('hex')}  ${name}\n`, 'latin1');
    await writeAll(this.#sums, line, this.#at.sums);
    this.#at.sums += line.length;
  }

  /** Adds a file of JSON. */
  async addJson(name: string, value: unknown): Promise<void> {
    await this.add(name, Buffer.from(`${JSON.stringify(value, null, 1)}\n`));
  }

  /**
   * Adds the list of the digests.
   * @returns the digest of the list itself
   */
  async addSums(): Promise<string> {
    await this.#sums.datasync();
    await this.#write(writeHeader({ name: sumsName, size: this.#at.sums }, this.#when));
    const hash = createHash('sha256');
    if (this.#at.sums > 0) {
      for await (const chunk of createReadStream(this.#sumsPath, { end: this.#at.sums - 1 })) {
        hash.update(chunk as Buffer);
        await this.#write(chunk as Buffer);
      }
    }
    await this.#write(Buffer.alloc(fillOf(this.#at.sums)));
    return hash.digest('hex');
  }

  /** Adds the last file, and the end of the archive. */
  async end(name: string, value: unknown): Promise<void> {
    const content = Buffer.from(`${JSON.stringify(value, null, 1)}\n`);
    await this.#write(writeHeader({ name, size: content.length }, this.#when));
    await this.#write(Buffer.concat([content, Buffer.alloc(fillOf(content.length)), endOfTar]));
    await this.#archive.sync();
  }

  /** Waits until all is on the disk. */
  async sync(): Promise<WrittenUpTo> {
    await this.#sums.datasync();
    await this.#archive.datasync();
    return { ...this.#at };
  }

  async close(): Promise<void> {
    await this.#sums.close();
    await this.#archive.close();
  }

  async #write(bytes: Buffer): Promise<void> {
    await writeAll(this.#archive, bytes, this.#at.bytes);
    this.#at.bytes += bytes.length;
  }
}

/** Thrown when the file is shorter than it was when it was last written. It is then begun anew. */
export class LostFile extends Error {}

async function openAt(path: string, length: number): Promise<FileHandle> {
  if (length > 0) {
    const there = await stat(path).catch(() => null);
    if (there === null || there.size < length) throw new LostFile('an archive is shorter than it was');
  }
  const file = await open(path, length > 0 ? 'r+' : 'w', 0o600);
  await file.truncate(length);
  return file;
}

/** A full disk may take only the first part of a write; the next one then fails with the cause. */
async function writeAll(file: FileHandle, bytes: Buffer, at: number): Promise<void> {
  let offset = 0;
  while (offset < bytes.length) {
    const { bytesWritten } = await file.write(bytes, offset, bytes.length - offset, at + offset);
    offset += bytesWritten;
  }
}
