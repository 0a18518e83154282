import type { PermissionEntry } from '../contracts/auth.ts';

/** The person who makes a call, with what they may do. `loadActor` reads it from the database. */
export interface Actor {
  userId: string;
  companyId: string;
  email: string;
  /** Number of the role within its company: 0 Super Admin, 1 Admin, 2 User, more for custom ones. A smaller one ranks higher. */
  roleNumber: number;
  roleName: string;
  /** True for people of the host itself, who see every tenant (D1). */
  isProvider: boolean;
  /** Effective permissions (D4). */
  permissions: PermissionEntry[];
  /** Null where there is none: a mail program that submits. */
  sessionId: string | null;
  tokenVersion: number;
  /** They have to choose another password before they do anything else. */
  passwordChangeRequired: boolean;
}

/** Whose records may be seen: every company's, or one's. */
export type Scope = { kind: 'host' } | { kind: 'company'; companyId: string };
