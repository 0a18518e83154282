import { escape } from 'mysql2';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { changeRows, readRows } from '../database/run-sql.ts';
import { domainOf } from '../mail/address-rules.ts';
import { isMistakenFor, looksOf, resemblingLooks, siteKey, siteOf } from '../mail/alike-domains.ts';

/*
 * Finds domains that resemble one to which a person writes (D42). For each domain that a person has
 * written to, `correspondent_looks` has a few keys, so one index look-up finds the domains that
 * resemble a sender's.
 */

/** A person and an address to which they have written. */
interface Written {
  userId: string;
  key: string;
}

/** Notes the domains of addresses to which people had not written before. */
export async function noteLooks(ctx: TxCtx, written: readonly Written[]): Promise<void> {
  const sites = written.flatMap(({ userId, key }) => {
    const site = siteOf(domainOf(key));
    return site === null ? [] : [{ userId, site }];
  });
  if (sites.length === 0) return;
  const places = [...Map.groupBy(sites, ({ userId }) => userId)].map(
    ([userId, own]) => `(user_id = ${escape(userId)} AND look IN (${escape(own.map(({ site }) => siteKey(site)))}))`,
  );
  const noted = await readRows<{ userId: string; site: string }>(
    ctx,
    `SELECT user_id AS userId, site FROM correspondent_looks WHERE ${places.join(' OR ')}`,
    [],
  );
  const known = new Set(noted.map(({ userId, site }) => `${userId} ${site}`));
  const added = sites.filter(({ userId, site }) => !known.has(`${userId} ${site}`));
  const tuples = added.flatMap(({ userId, site }) =>
    looksOf(site).map((look) => `(${escape(userId)}, ${escape(look)}, ${escape(site)})`),
  );
  if (tuples.length === 0) return;
  const values = [...new Set(tuples)].toSorted().join(', ');
  await changeRows(ctx, `INSERT IGNORE INTO correspondent_looks (user_id, look, site) VALUES ${values}`, []);
}

/** The most domains that are compared with a sender's. */
const mostCompared = 200;

/**
 * A domain that the person has written to and may mistake the sender's domain for. Null when there
 * is none, or when the person has written to the sender's domain as well.
 */
export async function findSimilarCorrespondent(ctx: Ctx, userId: string, domain: string): Promise<string | null> {
  const site = siteOf(domain);
  if (site === null) return null;
  const looks = [siteKey(site), ...resemblingLooks(domain)];
  const rows = await readRows<{ site: string }>(
    ctx,
    `SELECT DISTINCT site FROM correspondent_looks WHERE user_id = ? AND look IN (?) LIMIT ${mostCompared}`,
    [userId, looks],
  );
  const sites = rows.map((row) => row.site);
  if (sites.includes(site)) return null;
  return sites.find((known) => isMistakenFor(domain, known)) ?? null;
}

/** Whether a person has written to the registered domain of a host. */
export async function hasWrittenToSite(ctx: Ctx, userId: string, domain: string): Promise<boolean> {
  const statement = 'SELECT 1 FROM correspondent_looks WHERE user_id = ? AND look = ? LIMIT 1';
  return (await readRows(ctx, statement, [userId, siteKey(siteOf(domain) ?? domain)])).length > 0;
}

/**
 * Forgets the domains of these addresses, unless the person has another noted address in the same
 * domain. Call it after the addresses are removed. It reads all noted addresses of the person, so
 * it suits rare calls only.
 */
export async function forgetLooks(ctx: Ctx, userId: string, keys: readonly string[]): Promise<void> {
  const sites = [...new Set(keys.flatMap((key) => siteOf(domainOf(key)) ?? []))];
  if (sites.length === 0) return;
  const ends = sites.map((site) => site.replaceAll('.', '[.]')).join('|');
  const rows = await readRows<{ host: string }>(
    ctx,
    `SELECT DISTINCT SUBSTRING_INDEX(address_key, '@', -1) AS host FROM correspondents
      WHERE user_id = ? AND address_key REGEXP ?`,
    [userId, `[@.](${ends})$`],
  );
  const left = new Set(rows.map(({ host }) => siteOf(host)));
  const gone = sites.filter((site) => !left.has(site));
  if (gone.length === 0) return;
  const looks = [...new Set(gone.flatMap(looksOf))];
  const statement = 'DELETE FROM correspondent_looks WHERE user_id = ? AND look IN (?) AND site IN (?)';
  await changeRows(ctx, statement, [userId, looks, gone]);
}

/** Removes a batch of the keys of a person's domains. Resolves to false when none was left. */
export async function eraseLooks(ctx: Ctx, userId: string): Promise<boolean> {
  return (await changeRows(ctx, 'DELETE FROM correspondent_looks WHERE user_id = ? LIMIT 500', [userId])) > 0;
}

/** How many correspondents one step of the sweep reads. */
const rowsOfStep = 1000;

/**
 * Notes the domains of the addresses that people wrote to before the host noted domains.
 * @param position `last/mark`: the id of the last row that was read, and the id of the last row to
 * read
 * @returns the next position; null at the end
 */
export async function noteEarlierLooks(ctx: Ctx, position: string): Promise<string | null> {
  const [last = 0, mark = 0] = position.split('/').map(Number);
  if (!(last < mark)) return null;
  const rows = await readRows<Written & { id: string }>(
    ctx,
    `SELECT id, user_id AS userId, address_key AS \`key\` FROM correspondents
      WHERE id > ? AND id <= ? ORDER BY id LIMIT ${rowsOfStep}`,
    [last, mark],
  );
  const end = rows.at(-1)?.id;
  if (end === undefined) return null;
  await inTransaction(ctx, (tx) =>
    noteLooks(
      tx,
      rows.map((row) => ({ ...row, userId: String(row.userId) })),
    ),
  );
  return `${end}/${mark}`;
}
