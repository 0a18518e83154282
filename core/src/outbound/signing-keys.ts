import { createPrivateKey, type KeyObject } from 'node:crypto';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { SecretsBox } from '../secrets/secrets-box.ts';

/** The purpose for which the private keys of domains are sealed. */
export const dkimKeyPurpose = 'dkim-private-key';

/** A key, and the version of its row. */
interface KeyRow {
  id: string;
  updatedAt: Date;
}

const mostKeys = 1000;
const openedKeys = new WeakMap<SecretsBox, Map<string, KeyObject>>();

/**
 * The private key of a row. It is cached once opened, since unsealing and parsing cost more than
 * signing. Which key signs is not cached here: each claim reads that anew, so a change of key takes
 * effect from the next message on.
 * @throws Error when the key can't be opened
 */
export async function openSigningKey(ctx: Ctx, { id, updatedAt }: KeyRow): Promise<KeyObject> {
  const { secrets } = ctx.app;
  const opened = openedKeys.get(secrets) ?? new Map<string, KeyObject>();
  openedKeys.set(secrets, opened);
  const version = `${id} ${updatedAt.getTime()}`;
  const known = opened.get(version);
  if (known !== undefined) return known;
  const [row] = await readRows<{ sealed: string }>(ctx, 'SELECT private_key AS sealed FROM dkim_keys WHERE id = ?', [
    id,
  ]);
  if (row === undefined) throw new Error('the signing key of a claim is gone');
  const key = createPrivateKey(secrets.open(row.sealed, dkimKeyPurpose));
  const oldest = opened.keys().next();
  if (opened.size >= mostKeys && !oldest.done) opened.delete(oldest.value);
  opened.set(version, key);
  return key;
}
