import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';

/**
 * The bytes that people have stored: the raw size of each message in their folders, even if other
 * people have the same message, and their drafts. The figures are stored sums, so nothing is
 * counted.
 * @returns bytes by user id; a person without an entry is missing
 */
export async function bytesOfPeople(
  ctx: Pick<Ctx, 'app' | 'tx'>,
  userIds: readonly string[],
): Promise<Map<string, number>> {
  if (userIds.length === 0) return new Map();
  const rows = await readRows<{ id: string; bytes: string }>(
    ctx,
    'SELECT user_id AS id, SUM(bytes) AS bytes FROM folders WHERE user_id IN (?) GROUP BY user_id',
    [userIds],
  );
  return new Map(rows.map(({ id, bytes }) => [String(id), Number(bytes)]));
}

/**
 * The bytes that all people of each company have stored together, with the copies of their mail
 * (D54). Only indexes are read.
 */
export async function bytesOfCompanies(
  ctx: Pick<Ctx, 'app' | 'tx'>,
  companyIds: readonly string[],
): Promise<Map<string, number>> {
  if (companyIds.length === 0) return new Map();
  const rows = await readRows<{ id: string; bytes: string }>(
    ctx,
    `SELECT id, SUM(bytes) AS bytes FROM
       (SELECT company_id AS id, SUM(bytes) AS bytes FROM folders FORCE INDEX (folders_company_bytes)
         WHERE company_id IN (?) GROUP BY company_id
        UNION ALL
        SELECT company_id, SUM(bytes) FROM mail_copies FORCE INDEX (mail_copies_company)
         WHERE company_id IN (?) GROUP BY company_id) used
      GROUP BY id`,
    [companyIds, companyIds],
  );
  return new Map(rows.map(({ id, bytes }) => [String(id), Number(bytes)]));
}

/** The storage limits for a person's mail, in bytes; null means no limit. */
export interface StorageLimits {
  companyId: string;
  /** Of the mailbox: the person's own, else the default of the company, else that of the host. */
  mailbox: number | null;
  /** Of all mailboxes of the company together. */
  company: number | null;
}

/** The limits of people, by user id. A person without any limit is missing. */
export async function limitsOfPeople(ctx: Ctx, userIds: readonly string[]): Promise<Map<string, StorageLimits>> {
  if (userIds.length === 0) return new Map();
  const fallback = ctx.app.config.mailboxBytes;
  const rows = await readRows<{ id: string; companyId: string; mailbox: string | null; company: string | null }>(
    ctx,
    `SELECT u.id, u.company_id AS companyId, COALESCE(u.storage_limit, c.mailbox_limit, ?) AS mailbox,
            c.storage_limit AS company
       FROM users u JOIN companies c ON c.id = u.company_id WHERE u.id IN (?)
     HAVING mailbox IS NOT NULL OR company IS NOT NULL`,
    [fallback, userIds],
  );
  const bytes = (text: string | null) => (text === null ? null : Number(text));
  return new Map(
    rows.map(({ id, companyId, mailbox, company }) => [
      String(id),
      { companyId: String(companyId), mailbox: bytes(mailbox), company: bytes(company) },
    ]),
  );
}
