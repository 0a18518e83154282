import { readRows } from '../database/run-sql.ts';
import type { Ctx } from '../context/context.ts';

/** A person of a company, and where else they are known to have mail. */
interface Namesake {
  confirmedRecoveryEmail: string | null;
  forwardTo: string | null;
}

/** The people of a company who have this name, without regard to case and accents. */
export async function findNamesakes(ctx: Ctx, companyId: string, fullName: string): Promise<Namesake[]> {
  return await readRows<Namesake>(
    ctx,
    `SELECT confirmed_recovery_email AS confirmedRecoveryEmail, forward_to AS forwardTo
       FROM users FORCE INDEX (users_company)
      WHERE company_id = ? AND deleted_at IS NULL AND CONCAT(fname, ' ', lname) = ? LIMIT 20`,
    [companyId, fullName],
  );
}
