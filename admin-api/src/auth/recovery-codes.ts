import { createHmac } from 'node:crypto';
import { RecoveryCode } from '@selvage/core/models/recovery-code';
import type { User } from '@selvage/core/models/user';
import type { App } from '@selvage/core/context/app';
import type { Ctx, TxCtx } from '@selvage/core/context/context';
import { plainCode, readableCode } from '@selvage/core/secrets/readable-code';

const codesAtOnce = 10;
/** Ten letters are about 48 bits. The limits on guessing make that unguessable. */
const lettersEach = 10;

/** Replaces a person's codes by ten new ones. The database has only their hashes. */
export async function replaceRecoveryCodes(ctx: TxCtx, user: User): Promise<string[]> {
  const codes = Array.from({ length: codesAtOnce }, () => readableCode(lettersEach, 4));
  await removeRecoveryCodes(ctx, user);
  await RecoveryCode.bulkCreate(
    codes.map((code) => ({
      companyId: String(user.companyId),
      userId: String(user.id),
      codeHash: hashOf(ctx.app, code),
    })),
    { transaction: ctx.tx },
  );
  return codes;
}

async function removeRecoveryCodes(ctx: TxCtx, user: User): Promise<void> {
  await RecoveryCode.destroy({ where: { userId: String(user.id) }, transaction: ctx.tx });
}

/** Marks a code as used. Of two calls with the same code at once, only one succeeds. */
export async function redeemRecoveryCode(ctx: TxCtx, user: User, typed: string): Promise<boolean> {
  const where = { userId: String(user.id), codeHash: hashOf(ctx.app, typed), usedAt: null };
  const [used] = await RecoveryCode.update({ usedAt: new Date() }, { where, transaction: ctx.tx });
  return used === 1;
}

export async function countRecoveryCodes(ctx: Ctx, userId: string): Promise<number> {
  return await RecoveryCode.count({ where: { userId, usedAt: null }, transaction: ctx.tx });
}

function hashOf(app: App, code: string): string {
  return createHmac('sha256', app.secrets.key('recovery-code')).update(plainCode(code)).digest('hex');
}
