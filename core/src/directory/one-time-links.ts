import { createHash, randomBytes } from 'node:crypto';
import { Op } from 'sequelize';
import { findUsableAccount } from '../access/usable-account.ts';
import { badRequest } from '../errors.ts';
import { OneTimeLink } from '../models/one-time-link.ts';
import type { User } from '../models/user.ts';
import type { Config } from '../process/config.ts';
import type { Ctx, TxCtx } from '../context/context.ts';
import { lockUser } from './lock-user.ts';

/** What a link is for. */
export type LinkPurpose = OneTimeLink['purpose'];

const lifetimeMs = 24 * 3_600_000;

/** The value of `address` for a link that the operator is shown, and that is not mailed. */
export const shownToOperator = '';

const pages: Record<LinkPurpose, string> = {
  set_password: '/auth/set-password',
  confirm_recovery: '/auth/confirm-recovery',
  confirm_forwarding: '/auth/confirm-forwarding',
};

/**
 * Makes a link that works once, for 24 hours (D6). Earlier links of the same purpose stop working.
 * The link is built from the configured URL of the host, never from a header of the request. Its
 * secret is a fragment, which reaches no server log and no Referer.
 * @param address the address that the link is mailed to, or `shownToOperator`
 * @param options.isForStranger the caller has not proved who they are, so only earlier links to the
 *   same address stop working: a stranger must not take away what the person was given elsewhere
 */
export async function createLink(
  ctx: TxCtx,
  user: User,
  purpose: LinkPurpose,
  address: string,
  { isForStranger = false }: { isForStranger?: boolean } = {},
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await dropLinks(ctx, String(user.id), purpose, isForStranger ? { address } : {});
  await OneTimeLink.create(
    {
      companyId: String(user.companyId),
      userId: String(user.id),
      purpose,
      tokenHash: hashOf(token),
      address,
      expiresAt: new Date(Date.now() + lifetimeMs),
    },
    { transaction: ctx.tx },
  );
  return linkTo(ctx.app.config, purpose, token);
}

function linkTo(config: Config, purpose: LinkPurpose, token: string): string {
  return `${config.url.replace(/\/$/, '')}${pages[purpose]}#${token}`;
}

/**
 * Makes a person's links of one purpose stop working, or those of them that were mailed to one
 * address: they are no longer needed, or their address is no longer the person's.
 */
export async function dropLinks(
  { tx }: TxCtx,
  userId: string,
  purpose: LinkPurpose,
  mailedTo: { address?: string } = {},
): Promise<void> {
  const where = { userId, purpose, usedAt: null, ...mailedTo };
  await OneTimeLink.update({ usedAt: new Date() }, { where, transaction: tx });
}

/**
 * Makes the links to set a password that were mailed to this address stop working, for all people
 * of a company.
 */
export async function dropLinksTo({ tx }: TxCtx, companyId: string, address: string): Promise<void> {
  const where = { companyId, address, purpose: 'set_password', usedAt: null } as const;
  await OneTimeLink.update({ usedAt: new Date() }, { where, transaction: tx });
}

/**
 * Makes the links that would confirm addresses of a person stop working.
 * @returns the addresses that the links were mailed to
 */
export async function dropConfirmations(ctx: TxCtx, userId: string): Promise<string[]> {
  const purpose: LinkPurpose[] = ['confirm_recovery', 'confirm_forwarding'];
  const where = { userId, purpose, usedAt: null, expiresAt: { [Op.gt]: new Date() } };
  const links = await OneTimeLink.findAll({ where, order: ['id'], transaction: ctx.tx });
  for (const link of links) await link.update({ usedAt: new Date() }, { transaction: ctx.tx });
  return [...new Set(links.map(({ address }) => address))];
}

/** The link of a token, without using it up; null when it does not work any more. */
export async function findLink(ctx: Ctx, token: string, purpose: LinkPurpose): Promise<OneTimeLink | null> {
  const where = { tokenHash: hashOf(token), purpose, usedAt: null, expiresAt: { [Op.gt]: new Date() } };
  return await OneTimeLink.findOne({ where, transaction: ctx.tx });
}

/**
 * Uses a link up, and locks the row of its person. Of two requests with the same link one succeeds.
 * @throws 400 when the link is not valid, is no longer valid, or its person may not use the account
 * (D7). The error rolls the transaction back, so the link works again once the person may use the
 * account.
 */
export async function redeemLink(
  ctx: TxCtx,
  token: string,
  purpose: LinkPurpose,
): Promise<{ link: OneTimeLink; user: User }> {
  const link = await findLink(ctx, token, purpose);
  const [used] = link
    ? await OneTimeLink.update({ usedAt: new Date() }, { where: { id: link.id, usedAt: null }, transaction: ctx.tx })
    : [0];
  if (!link || used === 0) throw invalidLink();
  const user = await lockUser(ctx, String(link.userId));
  if (!(await findUsableAccount(ctx, user))) throw invalidLink();
  return { link, user };
}

/** The answer to a person who opens an old link. */
export function invalidLink(): Error {
  return badRequest('This link is not valid any more. Ask for a new one.', 'link_invalid');
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
