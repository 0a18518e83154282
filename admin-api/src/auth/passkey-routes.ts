import { recordAccountAudit } from '@selvage/core/access/audit';
import type { InferAnswer, InferBody } from '@selvage/core/contracts/endpoint';
import * as contracts from '@selvage/core/contracts/two-factor';
import { lockUser } from '@selvage/core/directory/lock-user';
import { conflict, invalid, notFound } from '@selvage/core/errors';
import { Passkey } from '@selvage/core/models/passkey';
import type { User } from '@selvage/core/models/user';
import { type Ctx, inTransaction, type TxCtx } from '@selvage/core/context/context';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import { UniqueConstraintError } from 'sequelize';
import { countOwnChange } from '../account/count-own-change.ts';
import { type SignedIn, signedIn } from '../http/request-context.ts';
import { type ApiRouter, type Input, route } from '../http/route.ts';
import { finishLogin } from './finish-login.ts';
import { signInAgain, type Waiting } from './login-step.ts';
import { encodeKey, passkeyOptions, readRegistration, registrationOptions, sessionHolder } from './passkeys.ts';
import { proveByPasskey } from './prove-by-passkey.ts';
import { requireCode } from './require-code.ts';
import { requirePassword } from './require-password.ts';
import { proverOf } from './second-factor.ts';
import { alreadyOff } from './switch-two-factor.ts';

const mostPasskeys = 20;

type PasskeyDto = contracts.PasskeyDto;

/** Binds the calls about passkeys. */
export function bindPasskeys(router: ApiRouter): void {
  route(router, contracts.listPasskeys, async (ctx) => {
    const { actor } = signedIn(ctx);
    const passkeys = await Passkey.findAll({ where: { userId: actor.userId }, order: [['id', 'ASC']] });
    return passkeys.map(present);
  });
  route(router, contracts.beginPasskey, async (ctx, { body, koa }) => {
    const me = signedIn(ctx);
    const user = await requirePassword(me, body.password);
    if (!user.twoFactorStatus) throw alreadyOff();
    // Refused before the code, which would be used up for nothing
    await refuseTooMany(me, me.actor.userId);
    await requireCode(me, koa, user, body);
    return await registrationOptions(ctx.app, user, sessionHolder(me));
  });
  route(router, contracts.addPasskey, (ctx, { body }) => addPasskey(signedIn(ctx), body));
  route(router, contracts.renamePasskey, async (ctx, { params, body }) => {
    return await renamePasskey(signedIn(ctx), params.id, body.passkey_name);
  });
  route(router, contracts.removePasskey, async (ctx, { params }) => removePasskey(signedIn(ctx), params.id));
  route(router, contracts.beginPasskeySignIn, async (ctx, { waiting }) => {
    const { user, step } = requireSignIn(waiting);
    return await passkeyOptions(ctx.app, user, 'sign-in', step.id);
  });
  route(router, contracts.beginPasskeyProof, async (ctx, input) => {
    const { user } = await proverOf(ctx, input);
    if (!user.twoFactorStatus) throw alreadyOff();
    return await passkeyOptions(ctx.app, user, 'confirm', sessionHolder(signedIn(ctx)));
  });
  route(router, contracts.verifyPasskey, (ctx, input) => signInByPasskey(ctx, input));
}

async function addPasskey(ctx: SignedIn, body: InferBody<typeof contracts.addPasskey>): Promise<PasskeyDto> {
  const credential = await readRegistration(ctx.app, sessionHolder(ctx), body.response);
  if (!credential) {
    const text = 'The passkey could not be added. Please try again.';
    throw invalid({ response: text }, text);
  }
  try {
    return await inTransaction(ctx, async (inside) => {
      const user = await lockUser(inside, ctx.actor.userId);
      if (!user.twoFactorStatus) throw alreadyOff();
      await refuseTooMany(inside, ctx.actor.userId);
      const passkey = await Passkey.create(
        {
          companyId: ctx.actor.companyId,
          userId: ctx.actor.userId,
          passkeyName: body.passkey_name,
          credentialId: credential.id,
          publicKey: encodeKey(credential.publicKey),
          counter: credential.counter,
          transports: credential.transports,
        },
        { transaction: inside.tx },
      );
      await tellOfChange(inside, user, passkey, 'added');
      return present(passkey);
    });
  } catch (error) {
    if (error instanceof UniqueConstraintError) throw conflict('This passkey is registered already.', 'passkey_exists');
    throw error;
  }
}

/** @throws 409 `too_many_passkeys` */
async function refuseTooMany({ tx }: Ctx, userId: string): Promise<void> {
  const count = await Passkey.count({ where: { userId }, transaction: tx });
  if (count < mostPasskeys) return;
  throw conflict(`You have ${mostPasskeys} passkeys. Remove one first.`, 'too_many_passkeys');
}

async function renamePasskey(ctx: SignedIn, id: string, passkeyName: string): Promise<PasskeyDto> {
  await countOwnChange(ctx);
  return await inTransaction(ctx, async (inside) => {
    const passkey = await ownPasskey(ctx, id, inside);
    await passkey.update({ passkeyName }, { transaction: inside.tx });
    await recordAccountAudit(inside, ownerOf(ctx), 'passkey:renamed', { details: { passkey: id } });
    return present(passkey);
  });
}

async function removePasskey(ctx: SignedIn, id: string): Promise<void> {
  await inTransaction(ctx, async (inside) => {
    const user = await lockUser(inside, ctx.actor.userId);
    const passkey = await ownPasskey(ctx, id, inside);
    await passkey.destroy({ transaction: inside.tx });
    await tellOfChange(inside, user, passkey, 'removed');
  });
}

async function tellOfChange(ctx: TxCtx, user: User, passkey: Passkey, change: 'added' | 'removed'): Promise<void> {
  await recordAccountAudit(ctx, user, `passkey:${change}`, { details: { passkey: String(passkey.id) } });
  const preposition = change === 'added' ? 'to' : 'from';
  const happened = `The passkey “${passkey.passkeyName}” was ${change} ${preposition} your account.`;
  await tellOwner(ctx, user, `A passkey was ${change}`, happened);
}

/** One of the caller's passkeys, with its row locked. @throws 404 */
async function ownPasskey(ctx: SignedIn, id: string, { tx }: TxCtx): Promise<Passkey> {
  const where = { id, userId: ctx.actor.userId };
  const passkey = await Passkey.findOne({ where, transaction: tx, lock: tx.LOCK.UPDATE });
  if (!passkey) throw notFound('passkey');
  return passkey;
}

function ownerOf({ actor }: SignedIn): { id: string; companyId: string } {
  return { id: actor.userId, companyId: actor.companyId };
}

async function signInByPasskey(
  ctx: Ctx,
  { waiting, body, koa }: Input<typeof contracts.verifyPasskey>,
): Promise<InferAnswer<typeof contracts.verifyPasskey>> {
  const { user, step } = requireSignIn(waiting);
  const signIn = { koa, user, step };
  if (step.isProven) return await finishLogin(ctx, signIn, 'proven');
  if (!user.twoFactorStatus) throw signInAgain();
  await proveByPasskey(ctx, { user, waiting, koa }, { purpose: 'sign-in', holder: step.id, response: body.response });
  return await finishLogin(ctx, signIn, 'passkey');
}

function requireSignIn(waiting: Waiting | null): Waiting {
  if (!waiting) throw conflict('You are logged in already.', 'signed_in_already');
  return waiting;
}

function present(passkey: Passkey): PasskeyDto {
  return {
    _id: String(passkey.id),
    passkey_name: passkey.passkeyName,
    createdAt: passkey.createdAt.toISOString(),
    last_used: passkey.lastUsedAt?.toISOString() ?? null,
  };
}
