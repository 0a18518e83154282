import type { Actor } from '../context/actor.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import { effectivePermissions } from './effective-permissions.ts';
import { actorOf } from './load-actor.ts';
import { isUsableAccount } from './usable-account.ts';

/** What an API call must know of the session that its token names. */
export interface CallSession {
  id: string;
  userId: string;
  lastActive: Date;
  expiresAt: Date;
  endedAt: Date | null;
}

/**
 * The person of an API call, and the session that its token names; null when no session has this
 * key.
 */
export interface CallActor {
  actor: Actor;
  session: CallSession | null;
}

interface Row {
  userId: string;
  companyId: string;
  roleId: string;
  email: string;
  tokenVersion: number;
  passwordChangeRequired: number;
  twoFactorStatus: number;
  createdAt: Date;
  userActive: number;
  loginAllowed: number;
  userDeletedAt: Date | null;
  isProvider: number;
  companyActive: number;
  companyDeletedAt: Date | null;
  roleNumber: number;
  roleName: string;
  roleActive: number;
  roleDeletedAt: Date | null;
  twoFactorSince: Date | null;
  twoFactorGraceDays: number;
  sessionId: string | null;
  sessionUserId: string | null;
  lastActive: Date | null;
  expiresAt: Date | null;
  endedAt: Date | null;
}

const columns = `
  u.id AS userId, u.company_id AS companyId, u.role_id AS roleId, u.email, u.token_version AS tokenVersion,
  u.password_change_required AS passwordChangeRequired, u.two_factor_status AS twoFactorStatus,
  u.created_at AS createdAt, u.active_status AS userActive, u.login_allowed AS loginAllowed,
  u.deleted_at AS userDeletedAt,
  c.is_provider AS isProvider, c.active_status AS companyActive, c.deleted_at AS companyDeletedAt,
  r.role_id AS roleNumber, r.role_name AS roleName, r.active_status AS roleActive, r.deleted_at AS roleDeletedAt,
  r.two_factor_since AS twoFactorSince, r.two_factor_grace_days AS twoFactorGraceDays,
  s.id AS sessionId, s.user_id AS sessionUserId, s.last_active AS lastActive, s.expires_at AS expiresAt,
  s.ended_at AS endedAt`;

/**
 * The actor of a call, read in two statements since every call needs it; null when the person may
 * not use the account.
 */
export async function readActor(ctx: Ctx, userId: string, sessionKey: string | null): Promise<CallActor | null> {
  const [row] = await readRows<Row>(
    ctx,
    `SELECT ${columns} FROM users u
       JOIN companies c ON c.id = u.company_id JOIN roles r ON r.id = u.role_id
       LEFT JOIN sessions s ON s.session_key = ?
      WHERE u.id = ?`,
    [sessionKey, userId],
  );
  if (row === undefined) return null;
  const { user, company, role } = recordsOf(row);
  if (!isUsableAccount({ user, company, role })) return null;
  const permissions = await effectivePermissions(ctx, user);
  return { actor: actorOf({ user, company, role }, permissions, sessionKey), session: sessionOf(row) };
}

function recordsOf(row: Row) {
  return {
    user: {
      id: row.userId,
      companyId: row.companyId,
      roleId: row.roleId,
      email: row.email,
      tokenVersion: row.tokenVersion,
      createdAt: row.createdAt,
      passwordChangeRequired: Boolean(row.passwordChangeRequired),
      twoFactorStatus: Boolean(row.twoFactorStatus),
      activeStatus: Boolean(row.userActive),
      loginAllowed: Boolean(row.loginAllowed),
      deletedAt: row.userDeletedAt,
    },
    company: {
      isProvider: Boolean(row.isProvider),
      activeStatus: Boolean(row.companyActive),
      deletedAt: row.companyDeletedAt,
    },
    role: {
      roleId: row.roleNumber,
      roleName: row.roleName,
      twoFactorSince: row.twoFactorSince,
      twoFactorGraceDays: row.twoFactorGraceDays,
      activeStatus: Boolean(row.roleActive),
      deletedAt: row.roleDeletedAt,
    },
  };
}

function sessionOf({ sessionId, sessionUserId, lastActive, expiresAt, endedAt }: Row): CallSession | null {
  if (sessionId === null || sessionUserId === null || lastActive === null || expiresAt === null) return null;
  return { id: String(sessionId), userId: String(sessionUserId), lastActive, expiresAt, endedAt };
}
