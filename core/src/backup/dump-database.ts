import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { avatarKey } from '../models/avatar-path.ts';
import type { Config } from '../process/config.ts';
import { startDump } from './database-tools.ts';
import { DumpScanner } from './dump-scanner.ts';
import { sortKeys } from './key-list.ts';
import { dumpFile, listFile, type Manifest } from './manifest.ts';
import { OperatorError } from '../operator-error.ts';
import type { Progress } from './progress.ts';

/** The facts that a dump's rows hold. */
type Dumped = Pick<Manifest, 'schema' | 'rows'> & { file: Manifest['files'][number] };

const wanted = {
  companies: [],
  users: ['avatar'],
  messages: ['blob_key'],
  draft_attachments: ['blob_key'],
  deliveries: ['direction', 'state'],
  schema_migrations: ['name'],
} as const;
const keyTables = new Set(['messages', 'draft_attachments']);

/**
 * Writes one snapshot of the whole database and the list of the blobs that its rows refer to, both
 * into a folder.
 * @throws OperatorError when the dump does not end as it should
 */
export async function dumpDatabase(
  config: Pick<Config, 'databaseUrl'>,
  folder: string,
  { progress, signal }: { progress: Progress; signal: AbortSignal },
): Promise<Dumped> {
  const rows = { companies: 0, users: 0, messages: 0, waiting: 0 };
  const schema: string[] = [];
  const keys: string[] = [];
  const scanner = new DumpScanner(wanted, (table, [first = null, second]) => {
    if (table in rows) rows[table as 'companies' | 'users' | 'messages'] += 1;
    if (table === 'deliveries' && first === 'out' && (second === 'held' || second === 'queued')) rows.waiting += 1;
    if (table === 'schema_migrations' && first) schema.push(first);
    const key = table === 'users' ? avatarKey(first) : keyTables.has(table) ? first : null;
    if (key) keys.push(key);
  });
  const list = sortKeys(join(folder, listFile));
  const hash = createHash('sha256');
  let [read, bytes] = [0, 0];
  const tool = startDump(config);
  tool.child.stdin.end();
  try {
    await pipeline(
      tool.child.stdout,
      async function* scan(source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          scanner.push(chunk);
          await list.add(keys.splice(0));
          progress.at('bytes of the database', (read += chunk.length));
          yield chunk;
        }
      },
      createGzip({ level: 1 }),
      async function* digest(source: AsyncIterable<Buffer>) {
        for await (const chunk of source) {
          hash.update(chunk);
          bytes += chunk.length;
          yield chunk;
        }
      },
      createWriteStream(join(folder, dumpFile), { flags: 'wx', mode: 0o600, flush: true }),
      { signal },
    );
    await tool.done;
    if (!scanner.isComplete) throw new OperatorError('mariadb-dump ended before the end of the database');
    await list.end();
    await chmod(join(folder, listFile), 0o600);
  } catch (error) {
    tool.child.kill();
    list.stop();
    throw error;
  }
  return { rows, schema: schema.sort(), file: { path: dumpFile, sha256: hash.digest('hex'), bytes } };
}
