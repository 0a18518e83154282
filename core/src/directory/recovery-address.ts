import { permissionsByPerson } from '../access/effective-permissions.ts';
import { isOutranked } from '../access/grant.ts';
import type { Ctx } from '../context/context.ts';
import type { PermissionEntry } from '../contracts/auth.ts';
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
  const personId = String(id);
  const mailbox = mailboxOf(resolved);
  return rankedMailbox(mailbox, personId, await findRanks(ctx, idsToCompare(mailbox, personId)));
}

/** What mail to an address leads to, before its owner is compared with the person. */
function mailboxOf(resolved: Resolution): RecoveryMailbox {
  switch (resolved.kind) {
    case 'relay':
      return { ownerId: null };
    case 'group':
      return { refused: 'shared' };
    case 'deliver':
      return resolved.expansion ? { refused: 'shared' } : { ownerId: resolved.userId };
    case 'reject':
      return resolved.hasLeft ? { ownerId: null } : { refused: 'no_mailbox' };
    case 'defer':
      return { refused: 'no_mailbox' };
  }
}

function rankedMailbox(mailbox: RecoveryMailbox, personId: string, ranks: Map<string, Rank>): RecoveryMailbox {
  if ('refused' in mailbox || mailbox.ownerId === null) return mailbox;
  return outranks(ranks.get(personId), ranks.get(mailbox.ownerId)) ? { refused: 'outranked' } : mailbox;
}

/** The people whose ranks decide whether a mailbox counts; none where it is on another host. */
function idsToCompare(mailbox: RecoveryMailbox, personId: string): string[] {
  return 'refused' in mailbox || mailbox.ownerId === null ? [] : [personId, mailbox.ownerId];
}

type Recoverable = Pick<User, 'id' | 'confirmedRecoveryEmail' | 'confirmedRecoveryUserId'>;

/**
 * The address to which links, codes and notices for a person go beside their mailbox: the confirmed
 * recovery address. It is null while that address does not count, and when it no longer leads to
 * where it led when it was confirmed.
 */
export async function findRecoveryAddress(ctx: Ctx, user: Recoverable): Promise<string | null> {
  return (await findRecoveryAddresses(ctx, [user])).get(String(user.id)) ?? null;
}

/**
 * The same of several people, by their ids, with a few queries for any number of them. People whose
 * address does not count are left out.
 */
export async function findRecoveryAddresses(ctx: Ctx, users: readonly Recoverable[]): Promise<Map<string, string>> {
  const confirmed = users.flatMap(({ id, confirmedRecoveryEmail: address, confirmedRecoveryUserId: by }) =>
    address ? [{ id: String(id), address, confirmedBy: by ? String(by) : null }] : [],
  );
  const read = await Promise.all(
    confirmed.map(async (one) => ({ ...one, mailbox: mailboxOf(await resolveRecipient(ctx, one.address)) })),
  );
  const ranks = await findRanks(
    ctx,
    read.flatMap(({ mailbox, id }) => idsToCompare(mailbox, id)),
  );
  return new Map(
    read.flatMap(({ id, address, confirmedBy, mailbox }) => {
      const judged = rankedMailbox(mailbox, id, ranks);
      return 'refused' in judged || judged.ownerId !== confirmedBy ? [] : [[id, address] as const];
    }),
  );
}

/** What decides which of two people may do more. */
interface Rank {
  roleNumber: number;
  isProvider: boolean;
  permissions: PermissionEntry[];
}

interface RankedRow {
  id: string;
  roleId: string;
  roleNumber: number;
  isProvider: number;
}

/** The ranks of people by their ids, with two queries for any number of them. */
async function findRanks(ctx: Ctx, ids: readonly string[]): Promise<Map<string, Rank>> {
  if (ids.length === 0) return new Map();
  const rows = await readRows<RankedRow>(
    ctx,
    `SELECT u.id, u.role_id AS roleId, r.role_id AS roleNumber, c.is_provider AS isProvider
       FROM users u JOIN roles r ON r.id = u.role_id JOIN companies c ON c.id = u.company_id WHERE u.id IN (?)`,
    [[...new Set(ids)]],
  );
  const held = await permissionsByPerson(ctx, rows);
  return new Map(
    rows.map(({ id, roleNumber, isProvider }) => {
      const permissions = (held.get(String(id)) ?? []).map(({ entry }) => entry);
      return [String(id), { roleNumber, isProvider: Number(isProvider) === 1, permissions }];
    }),
  );
}

/** Says whether a person may do more than another, or is of the provider and the other is not. */
function outranks(person: Rank | undefined, other: Rank | undefined): boolean {
  if (!person || !other || (person.isProvider && !other.isProvider)) return true;
  return isOutranked(other, person.permissions, person.roleNumber);
}
