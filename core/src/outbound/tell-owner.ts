import type { Ctx } from '../context/context.ts';
import { findRecoveryAddress } from '../directory/recovery-address.ts';
import type { User } from '../models/user.ts';
import { sendNotice } from './send-notice.ts';

/**
 * Tells a person by mail of a change that an attacker might have made in their name. The message
 * goes to their mailbox and to their confirmed recovery address, so that an attacker who has taken
 * over one of them can't hide it.
 */
export async function tellOwner(ctx: Ctx, user: User, subject: string, happened: string): Promise<void> {
  const text = [
    `Hello ${user.fname},`,
    '',
    happened,
    '',
    `Account: ${user.email}`,
    `Time: ${new Date().toUTCString()}`,
    `Network address: ${ctx.address || 'unknown'}`,
    '',
    'If this was you, there is nothing to do. If it was not, change your password at once, end the sessions that you do',
    'not know in the account settings, and tell your administrator.',
    '',
    ctx.app.config.url,
    '',
  ].join('\n');
  const recovery = await findRecoveryAddress(ctx, user);
  const addresses = recovery === null ? [user.email] : [user.email, recovery];
  for (const to of addresses) await sendNotice(ctx, { companyId: String(user.companyId), to, subject, text });
}

/**
 * Tells a person that two-factor authentication was turned off, by themselves, an administrator or
 * the operator.
 */
export async function tellTwoFactorOff(ctx: Ctx, user: User, by: 'administrator' | 'operator' | null): Promise<void> {
  const actor = { administrator: ' by an administrator', operator: ' by the operator of this host' };
  const happened = `Two-factor authentication was turned off for your account${by ? actor[by] : ''}. Its passkeys and recovery codes were removed.`;
  await tellOwner(ctx, user, 'Two-factor authentication is off', happened);
}
