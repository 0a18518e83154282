import { fullName } from '../contracts/full-name.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { bytesOfCompanies, bytesOfPeople, limitsOfPeople } from './storage-use.ts';

/** How many bytes a person or a company has stored, and how many they may store. */
export interface Use {
  id: string;
  name: string;
  used: number;
  limit: number | null;
}

/** The largest folders of a company that are searched for nearly full mailboxes. */
const largestFolders = 400;
/** The use of a company with more folders than this is only counted by the sweep. */
const mostCounted = 50_000;

/** The fullest of the mailboxes with the largest folders; those without a limit come last. */
export async function fullestMailboxes(
  ctx: Ctx,
  companyId: string,
  most: number,
): Promise<(Use & { email: string })[]> {
  const people = await readRows<{ id: string; fname: string; lname: string | null; email: string }>(
    ctx,
    `SELECT u.id, u.fname, u.lname, u.email FROM
       (SELECT DISTINCT user_id FROM
         (SELECT user_id FROM folders FORCE INDEX (folders_company_bytes) WHERE company_id = ? AND bytes > 0
           ORDER BY bytes DESC LIMIT ${largestFolders}) largest) f
       JOIN users u ON u.id = f.user_id WHERE u.deleted_at IS NULL`,
    [companyId],
  );
  const ids = people.map(({ id }) => String(id));
  const [used, limits] = [await bytesOfPeople(ctx, ids), await limitsOfPeople(ctx, ids)];
  return people
    .map(({ id, fname, lname, email }) => ({
      id: String(id),
      name: fullName({ fname, lname }),
      email,
      used: used.get(String(id)) ?? 0,
      limit: limits.get(String(id))?.mailbox ?? null,
    }))
    .sort((one, other) => fillOf(other) - fillOf(one) || other.used - one.used)
    .slice(0, most);
}

const fillOf = ({ used, limit }: Use): number => (limit === null ? 0 : used / Math.max(limit, 1));

/** The fullest companies according to the last count, which a sweep makes each hour. */
export async function fullestCompanies(ctx: Ctx, most: number): Promise<Use[]> {
  const rows = await readRows<{ id: string; name: string; bytes: string; storageLimit: string | null }>(
    ctx,
    `SELECT c.id, c.name, u.bytes, c.storage_limit AS storageLimit
       FROM company_use u FORCE INDEX (company_use_fill) JOIN companies c ON c.id = u.company_id
      WHERE u.bytes > 0 AND c.deleted_at IS NULL ORDER BY u.fill DESC, u.bytes DESC LIMIT ?`,
    [most],
  );
  return rows.map(({ id, name, bytes, storageLimit }) => ({
    id: String(id),
    name,
    used: Number(bytes),
    limit: storageLimit === null ? null : Number(storageLimit),
  }));
}

/** The use and the limit of a company. The use of a very large company may be an hour old. */
export async function readCompanyUse(ctx: Ctx, companyId: string): Promise<Pick<Use, 'used' | 'limit'>> {
  const [row] = await readRows<{ storageLimit: string | null; bytes: string | null; folders: number }>(
    ctx,
    `SELECT c.storage_limit AS storageLimit, u.bytes,
            (SELECT COUNT(*) FROM (SELECT 1 FROM folders FORCE INDEX (folders_company_bytes) WHERE company_id = ?
                                    LIMIT ${mostCounted}) few) AS folders
       FROM companies c LEFT JOIN company_use u ON u.company_id = c.id WHERE c.id = ?`,
    [companyId, companyId],
  );
  const { storageLimit, bytes, folders } = row ?? { storageLimit: null, bytes: null, folders: 0 };
  const isKept = bytes !== null && Number(folders) >= mostCounted;
  const used = isKept ? Number(bytes) : ((await bytesOfCompanies(ctx, [companyId])).get(companyId) ?? 0);
  return { used, limit: storageLimit === null ? null : Number(storageLimit) };
}
