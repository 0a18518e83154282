import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { avatarKey } from '../models/avatar-path.ts';
import { DumpScanner, type OnRow, type WantedColumns } from './dump-scanner.ts';
import type { Progress } from './progress.ts';

/** A dump to read, and how. */
interface DumpReading {
  dump: string;
  progress: Progress;
  signal: AbortSignal;
}

/**
 * Those of these keys that the rows of a dump need, as `neededKeys` says it of a database. The
 * database itself has moved on: what was deleted for good during the backup is in the dump still.
 * The dump is read twice, since it has the entries of messages before the messages.
 */
export async function neededInDump(keys: readonly string[], reading: DumpReading): Promise<string[]> {
  if (keys.length === 0) return [];
  const asked = new Set(keys);
  const needed = new Set<string>();
  const keyOf = new Map<string, string>();
  const referring = { messages: ['id', 'blob_key'], draft_attachments: ['blob_key'], users: ['avatar'] };
  await readDump(reading, referring, (table, [first = null, second = null]) => {
    const key = table === 'messages' ? second : table === 'users' ? avatarKey(first) : first;
    if (key === null || !asked.has(key)) return;
    if (table !== 'messages') needed.add(key);
    else if (first !== null) keyOf.set(first, key);
  });
  const keeping = {
    mailbox_entries: ['message_id', 'folder'],
    deliveries: ['message_id', 'state'],
    copied_entries: ['message_id'],
  };
  await readDump(reading, keeping, (table, [messageId = null, state]) => {
    const key = keyOf.get(messageId ?? '');
    if (key === undefined) return;
    const isEnded =
      (table === 'mailbox_entries' && state === 'gone') ||
      (table === 'deliveries' && state !== 'held' && state !== 'queued');
    if (!isEnded) needed.add(key);
  });
  return [...needed].sort();
}

async function readDump({ dump, progress, signal }: DumpReading, wanted: WantedColumns, onRow: OnRow): Promise<void> {
  const scanner = new DumpScanner(wanted, onRow);
  let read = 0;
  await pipeline(
    createReadStream(dump),
    createGunzip(),
    async (source: AsyncIterable<Buffer>) => {
      for await (const chunk of source) {
        scanner.push(chunk);
        progress.at('bytes of the database', (read += chunk.length));
      }
    },
    { signal },
  );
}
