import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { DatabaseTarget } from '../database/run-statement.ts';
import { log } from '../log.ts';
import { type DamageProblem, damagedBlobs } from '../metrics.ts';
import { avatarPath } from '../models/avatar-path.ts';

/** A record that needs the bytes of a blob. */
interface Reference {
  kind: 'message' | 'draft' | 'user';
  id: string;
  blobKey: string;
}

const shownIds = 100;
/** A statement has a maximum size, and a store may have lost any number of blobs. */
const keysOfStatement = 1000;

/**
 * Reports blobs whose bytes are not what their rows need, and removes nothing. A message that no
 * person has and no delivery needs may lose its bytes before its row. So only those records count
 * that need the bytes both before and after the disk is checked.
 * @param isDamaged checks the disk again
 * @returns how many records were reported
 */
export async function reportDamage(
  ctx: Ctx,
  problem: DamageProblem,
  { keys, isDamaged }: { keys: readonly string[]; isDamaged: (key: string) => Promise<boolean> },
): Promise<number> {
  const before = await referencesTo(ctx, keys);
  const damaged: string[] = [];
  for (const key of new Set(before.map(({ blobKey }) => blobKey))) if (await isDamaged(key)) damaged.push(key);
  const known = new Set(before.map(nameOf));
  const found = (await referencesTo(ctx, damaged)).filter((one) => known.has(nameOf(one)));
  if (found.length === 0) return 0;
  damagedBlobs.inc({ problem }, new Set(found.map(({ blobKey }) => blobKey)).size);
  const idsOf = (kind: Reference['kind']) =>
    found
      .filter((one) => one.kind === kind)
      .map(({ id }) => id)
      .slice(0, shownIds);
  const ids = { messageIds: idsOf('message'), draftIds: idsOf('draft'), userIds: idsOf('user') };
  log.error('stored bytes are damaged; put them back from a backup', { problem, count: found.length, ...ids });
  return found.length;
}

/**
 * Those of these keys that a message of a person or a delivery, a draft or an avatar needs. The
 * bytes of a message that no person has may be removed before its row.
 */
export async function neededKeys(target: DatabaseTarget, keys: readonly string[]): Promise<string[]> {
  const needed = new Set<string>();
  for (let start = 0; start < keys.length; start += keysOfStatement) {
    const references = await referencesTo(target, keys.slice(start, start + keysOfStatement));
    for (const { blobKey } of references) needed.add(blobKey);
  }
  return [...needed].sort();
}

function nameOf({ kind, id, blobKey }: Reference): string {
  return `${kind} ${id} ${blobKey}`;
}

/**
 * The records that need these bytes: messages of a person, a delivery or a copy, drafts, and
 * people.
 */
async function referencesTo(target: DatabaseTarget, keys: readonly string[]): Promise<Reference[]> {
  if (keys.length === 0) return [];
  const rows = await readRows<Reference>(
    target,
    `SELECT 'message' AS kind, m.id, m.blob_key AS blobKey FROM messages m FORCE INDEX (messages_blob)
      WHERE m.blob_key IN (?)
        AND (EXISTS (SELECT 1 FROM mailbox_entries e WHERE e.message_id = m.id AND e.folder <> 'gone')
          OR EXISTS (SELECT 1 FROM deliveries d WHERE d.message_id = m.id AND d.state IN ('held', 'queued'))
          OR EXISTS (SELECT 1 FROM copied_entries k WHERE k.message_id = m.id))
     UNION ALL
     SELECT 'draft', draft_id, blob_key FROM draft_attachments FORCE INDEX (draft_attachments_blob) WHERE blob_key IN (?)
     UNION ALL
     SELECT 'user', id, SUBSTRING(avatar, 17, 64) FROM users FORCE INDEX (users_avatar) WHERE avatar IN (?)`,
    [keys, keys, keys.map(avatarPath)],
  );
  return rows.map((row) => ({ ...row, id: String(row.id) }));
}
