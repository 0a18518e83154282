import { createHmac, randomInt } from 'node:crypto';
import { recordAccountAudit } from '@selvage/core/access/audit';
import { findRecoveryAddress } from '@selvage/core/directory/recovery-address';
import { invalid } from '@selvage/core/errors';
import type { User } from '@selvage/core/models/user';
import { sendNotice } from '@selvage/core/outbound/send-notice';
import type { App } from '@selvage/core/context/app';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import { countAttempt, rules } from './throttle.ts';

/*
 * Codes that are mailed to the confirmed recovery address of a person who has lost their second
 * factor. A code works once, and is valid for ten minutes and five tries. A new code replaces the
 * one before.
 */

const lifetimeSeconds = 600;
const triesAtMost = 5;

// One atomic step: two tries at once count as two, and a right code works only once
const redeemScript = `
local hash = redis.call('HGET', KEYS[1], 'hash')
if not hash then return 0 end
if hash == ARGV[1] then
  redis.call('DEL', KEYS[1])
  return 1
end
if redis.call('HINCRBY', KEYS[1], 'tries', 1) >= tonumber(ARGV[2]) then redis.call('DEL', KEYS[1]) end
return 0`;

/**
 * Mails a code.
 * @throws 422 when the person has no confirmed recovery address, 429
 */
export async function sendRecoveryCode(ctx: Ctx, user: User): Promise<void> {
  const to = await findRecoveryAddress(ctx, user);
  if (!to) {
    const text = 'This account has no confirmed recovery email. Use a recovery code, or ask your administrator.';
    throw invalid({ recovery_email: text }, text);
  }
  const userId = String(user.id);
  await countAttempt(ctx.app, rules.recoveryMailMinute, userId);
  await countAttempt(ctx.app, rules.recoveryMailHour, userId);
  const code = randomInt(1_000_000).toString().padStart(6, '0');
  await inTransaction(ctx, async (inside) => {
    await recordAccountAudit(inside, user, 'recovery-otp:sent', { isByOwner: false });
    await sendNotice(inside, {
      companyId: String(user.companyId),
      to,
      subject: 'Your recovery code',
      text: textOf(ctx, user, code),
    });
  });
  const [key, hash] = [keyOf(userId), hashOf(ctx.app, userId, code)];
  await ctx.app.redis.multi().del(key).hset(key, { hash, tries: 0 }).expire(key, lifetimeSeconds).exec();
}

/** Checks a mailed code. A right code is deleted, so it works once. */
export async function redeemMailedCode(ctx: Ctx, user: User, code: string): Promise<boolean> {
  const userId = String(user.id);
  const right = await ctx.app.redis.eval(redeemScript, 1, keyOf(userId), hashOf(ctx.app, userId, code), triesAtMost);
  return right === 1;
}

function textOf(ctx: Ctx, user: User, code: string): string {
  return [
    `Hello ${user.fname},`,
    '',
    `the code to turn off two-factor authentication of ${user.email} is`,
    '',
    `    ${code}`,
    '',
    'It works once, within ten minutes. Do not give it to anyone.',
    '',
    `It was asked for from ${ctx.address || 'an unknown address'} with your password. If that was not you, change your`,
    'password at once.',
    '',
    ctx.app.config.url,
    '',
  ].join('\n');
}

function keyOf(userId: string): string {
  return `recovery-otp:${userId}`;
}

function hashOf(app: App, userId: string, code: string): string {
  return createHmac('sha256', app.secrets.key('recovery-otp')).update(`${userId}:${code}`).digest('hex');
}
