import { isUsableAccount } from '../access/usable-account.ts';
import { isTwoFactorOverdue } from '../access/two-factor-rule.ts';
import type { App } from '../context/app.ts';
import type { Ctx } from '../context/context.ts';
import { groupWorkOf, lookUpLimits } from '../database/group-work.ts';
import { readRows } from '../database/run-sql.ts';
import type { Role } from '../models/role.ts';
import type { User } from '../models/user.ts';

/** How a mail program has logged in. */
export interface MailLogin {
  /** The account as it was at the login. */
  user: User;
  /** The app password that was used; null for the account's own password. */
  appPasswordId: string | null;
}

type OfUser = Pick<User, 'twoFactorStatus' | 'createdAt' | 'passwordChangeRequired'>;
type OfRole = Pick<Role, 'twoFactorSince' | 'twoFactorGraceDays'>;

/** Why the account's own password is not enough for a mail program (D13); null when it is. */
export function weaknessOf(user: OfUser, role: OfRole): 'second_factor' | 'password_change' | null {
  if (user.twoFactorStatus || isTwoFactorOverdue(user, role)) return 'second_factor';
  return user.passwordChangeRequired ? 'password_change' : null;
}

/**
 * Says whether a mail program could still log in as it did: the account is in use, and the password
 * that it used is still valid. Either may have changed since the connection was opened. Calls that
 * come while a look-up is under way are looked up together.
 */
export async function isLoginInForce({ app }: Ctx, login: MailLogin): Promise<boolean> {
  return await lookUps(app).add(login);
}

const lookUps = groupWorkOf<App, MailLogin, boolean>(async (app, logins) => {
  const rows = await readLogins(app, logins);
  return logins.map(({ user, appPasswordId }) => {
    const row = rows.find(({ userId }) => String(userId) === String(user.id));
    if (row === undefined || !isInUse(row)) return false;
    if (appPasswordId !== null) return rows.some((one) => String(one.appPasswordId) === appPasswordId);
    return row.passwordHash === user.passwordHash && weaknessOf(ofUser(row), row) === null;
  });
}, lookUpLimits);

interface LoginRow extends OfRole {
  userId: string;
  appPasswordId: string | null;
  passwordHash: string;
  twoFactorStatus: number;
  passwordChangeRequired: number;
  createdAt: Date;
  loginAllowed: number;
  userActive: number;
  userDeletedAt: Date | null;
  companyActive: number;
  companyDeletedAt: Date | null;
  roleActive: number;
  roleDeletedAt: Date | null;
}

/**
 * One row for each named app password of an account, or one for an account that has none of them.
 */
async function readLogins(app: App, logins: readonly MailLogin[]): Promise<LoginRow[]> {
  const userIds = new Set(logins.map(({ user }) => String(user.id)));
  const appPasswordIds = new Set(logins.map(({ appPasswordId }) => appPasswordId ?? '0'));
  return await readRows<LoginRow>(
    { app },
    `SELECT u.id AS userId, a.id AS appPasswordId, u.password_hash AS passwordHash,
            u.two_factor_status AS twoFactorStatus, u.password_change_required AS passwordChangeRequired,
            u.created_at AS createdAt, u.login_allowed AS loginAllowed, u.active_status AS userActive,
            u.deleted_at AS userDeletedAt, c.active_status AS companyActive, c.deleted_at AS companyDeletedAt,
            r.active_status AS roleActive, r.deleted_at AS roleDeletedAt,
            r.two_factor_since AS twoFactorSince, r.two_factor_grace_days AS twoFactorGraceDays
       FROM users u JOIN companies c ON c.id = u.company_id JOIN roles r ON r.id = u.role_id
            LEFT JOIN app_passwords a ON a.user_id = u.id AND a.id IN (?)
      WHERE u.id IN (?)`,
    [[...appPasswordIds], [...userIds]],
  );
}

function isInUse(row: LoginRow): boolean {
  return isUsableAccount({
    user: {
      activeStatus: Boolean(row.userActive),
      loginAllowed: Boolean(row.loginAllowed),
      deletedAt: row.userDeletedAt,
    },
    company: { activeStatus: Boolean(row.companyActive), deletedAt: row.companyDeletedAt },
    role: { activeStatus: Boolean(row.roleActive), deletedAt: row.roleDeletedAt },
  });
}

function ofUser({ twoFactorStatus, passwordChangeRequired, createdAt }: LoginRow): OfUser {
  return {
    twoFactorStatus: Boolean(twoFactorStatus),
    passwordChangeRequired: Boolean(passwordChangeRequired),
    createdAt,
  };
}
