import type { PermissionEntry } from '../contracts/auth.ts';

/** The person who makes a call, with what they may do. `readActor` reads it from the database. */
export interface Actor {
  userId: string;
  companyId: string;
  email: string;
  /**
   * Number of the role within its company: 0 Super Admin, 1 Admin, 2 User, more for custom roles. A
   * smaller number ranks higher.
   */
  roleNumber: number;
  roleName: string;
  /** True for people of the host itself, who see every tenant (D1). */
  isProvider: boolean;
  /** Effective permissions (D4). */
  permissions: PermissionEntry[];
  /** Null for an actor without a session, such as a mail program that submits. */
  sessionId: string | null;
  tokenVersion: number;
  /** The person has to choose another password before anything else. */
  passwordChangeRequired: boolean;
  /** The person has to set up a second factor before anything else: their role asks for it. */
  twoFactorOverdue: boolean;
}

/** Which records may be seen: those of every company, or of one. */
export type Scope = { kind: 'host' } | { kind: 'company'; companyId: string };
