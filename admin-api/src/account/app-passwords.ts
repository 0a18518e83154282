import { recordAudit } from '@selvage/core/access/audit';
import type { AppPasswordDto, createAppPassword, SubmissionServerDto } from '@selvage/core/contracts/account';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import { hashAppPassword, newAppPassword } from '@selvage/core/directory/verify-app-password';
import { lockUser } from '@selvage/core/directory/lock-user';
import { conflict, notFound } from '@selvage/core/errors';
import { AppPassword } from '@selvage/core/models/app-password';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import type { Context } from 'koa';
import { requireCode } from '../auth/require-code.ts';
import { requirePassword } from '../auth/require-password.ts';
import { countAttempt, refuseOverLimit } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';
import { rules } from './rate-limits.ts';

/** More mail programs than any person has. */
const maxAppPasswords = 25;

/** The passwords of the caller's mail programs, the latest first. */
export async function listOwnAppPasswords(ctx: SignedIn): Promise<AppPasswordDto[]> {
  const found = await AppPassword.findAll({ where: { userId: ctx.actor.userId }, order: [['id', 'DESC']] });
  return found.map(presentAppPassword);
}

/**
 * Makes a password for one mail program. It opens the mailbox without a second factor. So this
 * requires the account's password and a code, and the owner is told by mail.
 * @returns the record, and the password, which the database has only as a hash
 * @throws 409, 422, 429
 */
export async function addAppPassword(
  ctx: SignedIn,
  koa: Context,
  given: InferBody<typeof createAppPassword>,
): Promise<AppPasswordDto & { app_password: string; server: SubmissionServerDto }> {
  const owner = await requirePassword(ctx, given.password);
  // Refused before the code, which would be used up for nothing
  await refuseTooMany(ctx, ctx.actor.userId);
  await refuseOverLimit(ctx.app, rules.toldChange, ctx.actor.userId);
  await requireCode(ctx, koa, owner, given);
  await countAttempt(ctx.app, rules.toldChange, ctx.actor.userId);
  const password = newAppPassword();
  return await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    const [userId, companyId] = [String(user.id), String(user.companyId)];
    await refuseTooMany(tx, userId);
    const made = await AppPassword.create(
      { companyId, userId, appName: given.app_name, passwordHash: hashAppPassword(ctx.app, password) },
      { transaction: tx.tx },
    );
    await recordAudit(tx, { action: 'app-password:created', entity: 'app-password', entityId: String(made.id) });
    await tellOwner(
      tx,
      user,
      'A password for a mail program was made',
      'A password with which a mail program can log in was made for your account. You can take it back in the account settings.',
    );
    return { ...presentAppPassword(made), app_password: password, server: presentServer(ctx) };
  });
}

/**
 * Deletes an app password. Its mail program can't log in with it any more.
 * @throws 404 for another person's
 */
export async function removeOwnAppPassword(ctx: SignedIn, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const removed = await AppPassword.destroy({ where: { id, userId: ctx.actor.userId }, transaction: tx.tx });
    if (removed === 0) throw notFound('app password');
    await recordAudit(tx, { action: 'app-password:removed', entity: 'app-password', entityId: id });
  });
}

function presentServer({ app: { config } }: SignedIn): SubmissionServerDto {
  const { hostname, publicSubmissionsPort, publicSubmissionPort } = config;
  return { host: hostname, tls_port: publicSubmissionsPort, starttls_port: publicSubmissionPort };
}

function presentAppPassword(found: AppPassword): AppPasswordDto {
  return {
    _id: String(found.id),
    app_name: found.appName,
    createdAt: found.createdAt.toISOString(),
    last_used: found.lastUsedAt?.toISOString() ?? null,
    last_used_ip: found.lastUsedAddress ?? null,
  };
}

/** @throws 409 `too_many_app_passwords` */
async function refuseTooMany({ tx }: Ctx, userId: string): Promise<void> {
  const count = await AppPassword.count({ where: { userId }, transaction: tx });
  if (count < maxAppPasswords) return;
  throw conflict(
    `There are ${maxAppPasswords} app passwords already. Take one back that is not used any more.`,
    'too_many_app_passwords',
  );
}
