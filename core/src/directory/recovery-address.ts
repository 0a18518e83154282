import { permissionsByPerson } from '../access/effective-permissions.ts';
import { isOutranked } from '../access/grant.ts';
import type { Ctx } from '../context/context.ts';
import { readRows } from '../database/run-sql.ts';
import type { User } from '../models/user.ts';
import { type Resolution, resolveRecipient } from './resolve-recipient.ts';

/*
 * A recovery address opens an account, so the mailbox behind it must be in the hands of its owner
 * alone (D13). That is judged each time the address is used: mailboxes are removed, their addresses
 * are given to other people, and people get other roles.
 */

/** What mail to a recovery address leads to. */
export type RecoveryMailbox =
  /** `ownerId` is the person whose mailbox it is; null for an address of another host. */
  | { ownerId: string | null }
  /**
   * Why the address does not count.
   * - `shared`: it leads to a mailbox with another address: an alias, a group, a catch-all or
   *   postmaster. Administrators who may not change a person can change those.
   * - `outranked`: administrators who may change the owner of the mailbox, and so read it, may not
   *   all change the person whose recovery address it is.
   * - `no_mailbox`: no mailbox takes mail for it now.
   */
  | { refused: 'shared' | 'outranked' | 'no_mailbox' };

/** Judges an address as the recovery address of a person. */
export async function judgeRecoveryAddress(
  ctx: Ctx,
  { id }: Pick<User, 'id'>,
  resolved: Resolution,
): Promise<RecoveryMailbox> {
  switch (resolved.kind) {
    case 'relay':
      return { ownerId: null };
    case 'group':
      return { refused: 'shared' };
    case 'deliver': {
      if (resolved.expansion) return { refused: 'shared' };
      const isOutrankedBy = await outranks(ctx, String(id), resolved.userId);
      return isOutrankedBy ? { refused: 'outranked' } : { ownerId: resolved.userId };
    }
    case 'reject':
      return resolved.hasLeft ? { ownerId: null } : { refused: 'no_mailbox' };
    case 'defer':
      return { refused: 'no_mailbox' };
  }
}

/**
 * The address to which links, codes and notices for a person go beside their mailbox: the confirmed
 * recovery address. It is null while that address does not count, and when it no longer leads to
 * where it led when it was confirmed.
 */
export async function findRecoveryAddress(
  ctx: Ctx,
  user: Pick<User, 'id' | 'confirmedRecoveryEmail' | 'confirmedRecoveryUserId'>,
): Promise<string | null> {
  const { confirmedRecoveryEmail: address, confirmedRecoveryUserId: confirmedBy } = user;
  if (!address) return null;
  const mailbox = await judgeRecoveryAddress(ctx, user, await resolveRecipient(ctx, address));
  if ('refused' in mailbox) return null;
  return mailbox.ownerId === (confirmedBy ? String(confirmedBy) : null) ? address : null;
}

interface RankedRow {
  id: string;
  roleId: string;
  roleNumber: number;
  isProvider: number;
}

/** Says whether a person may do more than another, or is of the provider and the other is not. */
async function outranks(ctx: Ctx, userId: string, otherId: string): Promise<boolean> {
  const rows = await readRows<RankedRow>(
    ctx,
    `SELECT u.id, u.role_id AS roleId, r.role_id AS roleNumber, c.is_provider AS isProvider
       FROM users u JOIN roles r ON r.id = u.role_id JOIN companies c ON c.id = u.company_id WHERE u.id IN (?)`,
    [[userId, otherId]],
  );
  const held = await permissionsByPerson(ctx, rows);
  const [person, other] = [userId, otherId].map((id) => {
    const row = rows.find((one) => String(one.id) === id);
    const permissions = (held.get(id) ?? []).map(({ entry }) => entry);
    return row && { roleNumber: row.roleNumber, isProvider: Number(row.isProvider) === 1, permissions };
  });
  if (!person || !other || (person.isProvider && !other.isProvider)) return true;
  return isOutranked(other, person.permissions, person.roleNumber);
}
