import { mkdir } from 'node:fs/promises';
import type { App } from '../context/app.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { readDisk } from '../read-disk.ts';

/**
 * Bytes beside each message: its header in the archive, its padding, and its lines in the lists.
 */
const besideMessage = 2048;
const besideAll = 1_048_576;

/** Bytes of the disk that archives may still use. */
export async function roomForArchives({ config: { archives } }: App): Promise<number> {
  await mkdir(archives.directory, { recursive: true, mode: 0o700 });
  return (await readDisk(archives.directory)).freeBytes - archives.spareBytes;
}

/** The rough size of an archive that is to be made. */
export interface Estimate {
  messages: number;
  bytes: number;
}

/** Adds up what the folders of a company's people have. */
export async function estimateArchive(ctx: Ctx, companyId: string): Promise<Estimate> {
  const [sum] = await readRows<{ messages: string | null; bytes: string | null; people: string }>(
    ctx,
    `SELECT SUM(IF(f.role IN ('draft', 'starred'), 0, f.total)) AS messages, SUM(f.bytes) AS bytes,
            COUNT(DISTINCT u.id) AS people
       FROM users u LEFT JOIN folders f ON f.user_id = u.id WHERE u.company_id = ? AND u.erased_at IS NULL`,
    [companyId],
  );
  const messages = Number(sum?.messages ?? 0);
  const besides = messages * besideMessage + Number(sum?.people ?? 0) * 16_384 + besideAll;
  return { messages, bytes: Number(sum?.bytes ?? 0) + besides };
}
