import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { z } from 'zod';
import { OperatorError } from '../operator-error.ts';
import { isKnownName, manifestName, mostBytesOf } from './layout.ts';
import { blockBytes, fillOf, readHeader } from './tar-format.ts';

/** A file of an archive, and where its content is. */
export interface Member {
  name: string;
  size: number;
  /** Where the content begins. */
  start: number;
  /** Where the next file begins. */
  end: number;
}

const chunkBytes = 1_048_576;

/**
 * Reads an archive. A stranger may have made it, so it refuses each file that does not fit, by
 * name.
 */
export class ArchiveReader {
  readonly #file: FileHandle;
  readonly #path: string;
  readonly #length: number;

  private constructor(path: string, file: FileHandle, length: number) {
    this.#path = path;
    this.#file = file;
    this.#length = length;
  }

  static async open(path: string): Promise<ArchiveReader> {
    const file = await open(path, 'r');
    return new ArchiveReader(path, file, (await file.stat()).size);
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  get length(): number {
    return this.#length;
  }

  /**
   * The files from a place on, in their order, up to the manifest.
   * @throws OperatorError naming the file that can't be part of an archive
   */
  async *members(from = 0): AsyncGenerator<Member, void> {
    let last = 'the beginning';
    for (let at = from; ; ) {
      const block = await this.#read(at, blockBytes, last);
      const header = readHeader(block);
      if (header === null) throw new OperatorError(`the archive ends behind ${last}, before its manifest`);
      if (header === 'damaged') throw new OperatorError(`the archive is damaged behind ${last}`);
      const { name, size } = header;
      const shown = JSON.stringify(name);
      if (!isKnownName(name)) throw new OperatorError(`${shown} is no name of a file of an archive`);
      const start = at + blockBytes;
      if (size > mostBytesOf(name)) throw new OperatorError(`${shown} is larger than such a file can be`);
      if (start + size > this.#length) throw new OperatorError(`the archive is cut off within ${shown}`);
      const end = start + size + fillOf(size);
      yield { name, size, start, end };
      if (name === manifestName) return;
      [at, last] = [end, shown];
    }
  }

  /** The content of a file that fits into memory. */
  async content({ name, start, size }: Member): Promise<Buffer> {
    return await this.#read(start, size, name);
  }

  /** The content of a file of JSON. */
  async json<T>(member: Member, schema: z.ZodType<T>): Promise<T> {
    return parseAs(member.name, (await this.content(member)).toString(), schema);
  }

  /** The SHA-256 of the content of a file. */
  async digest({ start, size }: Member): Promise<string> {
    const hash = createHash('sha256');
    for (let at = 0; at < size; at += chunkBytes) {
      hash.update(await this.#read(start + at, Math.min(chunkBytes, size - at), 'a file'));
    }
    return hash.digest('hex');
  }

  /** The lines of SHA256SUMS. A caller that does not take all of them ends the generator. */
  async *lines({ start, size }: Member): AsyncGenerator<string, undefined> {
    if (size === 0) return undefined;
    const input = createReadStream(this.#path, { start, end: start + size - 1, encoding: 'latin1' });
    try {
      yield* createInterface({ input, crlfDelay: Infinity });
    } finally {
      input.destroy();
    }
    return undefined;
  }

  async #read(at: number, size: number, near: string): Promise<Buffer> {
    const bytes = Buffer.alloc(size);
    let read = 0;
    while (read < size) {
      const { bytesRead } = await this.#file.read(bytes, read, size - read, at + read);
      if (bytesRead === 0) throw new OperatorError(`the archive is cut off near ${near}`);
      read += bytesRead;
    }
    return bytes;
  }
}

/** The lines of an index. */
export function linesOf(content: Buffer): string[] {
  return content
    .toString()
    .split('\n')
    .filter((line) => line !== '');
}

/** @throws OperatorError naming the file whose content does not fit */
export function parseAs<T>(name: string, text: string, schema: z.ZodType<T>): T {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OperatorError(`${name} is no JSON`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.length ? ` at ${issue.path.join('.')}` : '';
  throw new OperatorError(`${name} does not fit an archive${place}: ${issue?.message ?? ''}`);
}
