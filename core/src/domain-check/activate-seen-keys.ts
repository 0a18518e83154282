import type { Ctx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { checkDkim } from './check-dkim.ts';
import { Questions } from './questions.ts';

const askAgainMs = 5 * 60_000;
const keysOfPass = 20;

interface WaitingKey {
  id: string;
  selector: string;
  publicKey: string;
  domain: string;
}

/**
 * Activates the DKIM keys that wait for their records, once the DNS has those. A key waits when it
 * is the newest of its domain and not active.
 * @returns the full names of the records that were seen
 */
export async function activateSeenKeys(ctx: Ctx, now = new Date()): Promise<string[]> {
  const waiting = await readRows<WaitingKey>(
    ctx,
    `SELECT k.id, k.selector, k.public_key AS publicKey, d.domain_name AS domain
       FROM dkim_keys k JOIN domains d ON d.id = k.domain_id
      WHERE k.is_active = 0 AND d.deleted_at IS NULL AND d.verified_at IS NOT NULL
        AND (k.updated_at = k.created_at OR k.updated_at < ? OR k.updated_at > ?)
        AND k.id = (SELECT MAX(n.id) FROM dkim_keys n WHERE n.domain_id = k.domain_id)
      ORDER BY k.updated_at LIMIT ${keysOfPass}`,
    // A later moment than now was written by a clock that was ahead
    [new Date(now.getTime() - askAgainMs), new Date(now.getTime() + askAgainMs)],
  );
  const seen = await Promise.all(waiting.map((key) => activateIfSeen(ctx, key, now)));
  return seen.filter((name) => name !== null);
}

async function activateIfSeen(
  ctx: Ctx,
  { id, selector, publicKey, domain }: WaitingKey,
  now: Date,
): Promise<string | null> {
  const questions = new Questions(ctx.app.config.dnsServers);
  const keys = [{ selector, publicKey, isActive: true }];
  const { part } = await checkDkim(questions, { domain, selectors: [], keys });
  // Another worker may have activated it a moment before
  const seen = part.valid ? 'is_active = 1, signs_since = ?, ' : '';
  const sql = `UPDATE dkim_keys SET ${seen}updated_at = ? WHERE id = ? AND is_active = 0`;
  await changeRows(ctx, sql, [...(part.valid ? [now] : []), now, id]);
  return part.valid ? `${selector}._domainkey.${domain}` : null;
}
