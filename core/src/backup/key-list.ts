import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { OperatorError } from '../operator-error.ts';

/*
 * The keys of a host's blobs may be too many for the memory. So they are a file with a key on each
 * line, which `sort` puts in order with a bounded amount of memory.
 */

/** Takes keys in any order, and more than once. */
export interface KeySorter {
  add(keys: readonly string[]): Promise<void>;
  /** Resolves when the file has every key once, in order. */
  end(): Promise<void>;
  /** Kills `sort`, which leaves no complete file. */
  stop(): void;
}

/** Writes the keys that are added to a file, sorted and each once. */
export function sortKeys(file: string): KeySorter {
  const args = ['--unique', '--buffer-size=64M', `--temporary-directory=${dirname(file)}`, `--output=${file}`];
  const sort = spawn('sort', args, { env: { ...process.env, LC_ALL: 'C' }, stdio: ['pipe', 'ignore', 'pipe'] });
  let words = '';
  sort.stderr.on('data', (bytes: Buffer) => {
    words += bytes.toString();
  });
  // The exit of `sort` says more than a broken pipe
  sort.stdin.on('error', () => undefined);
  const ended = new Promise<void>((resolve, reject) => {
    sort.once('error', reject);
    sort.once('close', (code) => {
      if (code === 0) resolve();
      else reject(new OperatorError(`the list of blobs could not be sorted: ${words.trim()}`));
    });
  });
  ended.catch(() => undefined);
  return {
    add: async (keys) => {
      if (keys.length === 0 || sort.stdin.write(`${keys.join('\n')}\n`)) return;
      await Promise.race([once(sort.stdin, 'drain'), ended]);
    },
    end: async () => {
      sort.stdin.end();
      await ended;
    },
    stop: () => void sort.kill(),
  };
}

/** The keys of a list, in their order. */
export async function* readKeys(file: string): AsyncGenerator<string> {
  const lines = createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY });
  for await (const line of lines) {
    if (!/^[0-9a-f]{64}$/.test(line)) throw new OperatorError(`${file} is damaged`);
    yield line;
  }
}

/** Works on every item, on some of them at a time; the first failure ends it. */
export async function forEachOf<T>(
  items: AsyncIterable<T>,
  { atOnce, signal }: { atOnce: number; signal?: AbortSignal | undefined },
  work: (item: T) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const run = async (item: T) => {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
    }
  };
  for await (const item of items) {
    signal?.throwIfAborted();
    const one = run(item).finally(() => running.delete(one));
    running.add(one);
    if (running.size >= atOnce) await Promise.race(running);
    if (failures.length > 0) break;
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures[0];
  signal?.throwIfAborted();
}
