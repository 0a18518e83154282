import { networkOf } from '@selvage/core/access/network-of';
import { recordAccountAudit } from '@selvage/core/access/audit';
import { createLink } from '@selvage/core/directory/one-time-links';
import { findRecoveryAddress } from '@selvage/core/directory/recovery-address';
import { findUsableAccount } from '@selvage/core/access/usable-account';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { User } from '@selvage/core/models/user';
import { sendNotice } from '@selvage/core/outbound/send-notice';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { consume } from '@selvage/core/access/rate-limit';
import type { Context } from 'koa';
import { checkCaptcha } from '../auth/captcha.ts';
import { type Count, countAttempt } from '../auth/throttle.ts';
import { rules } from './rate-limits.ts';

/** What a person sends who can no longer log in. */
interface Request {
  email: string;
  captcha_text?: string | undefined;
  captcha_token?: string | undefined;
}

/**
 * Accepts a request for a link. The account is looked up only after the answer has been sent, so
 * neither its text nor its timing shows whether the account exists (D12). If the process ends in
 * between, the person has to ask again.
 * @throws 422, 429
 */
export async function takeLinkRequest(ctx: Ctx, koa: Context, request: Request): Promise<void> {
  const { app } = ctx;
  const email = normaliseAddress(request.email) ?? request.email.toLowerCase();
  const network = networkOf(ctx.address);
  const counts: Count[] = [
    [rules.forgotAddress, network],
    [rules.forgotAccount, `${email}|${network}`],
  ];
  await checkCaptcha(ctx, { token: request.captcha_token, text: request.captcha_text }, counts);
  for (const [rule, subject] of counts) await countAttempt(app, rule, subject);
  koa.res.once('close', () => {
    mailPasswordLink(ctx, email).catch((error: unknown) => {
      log.error('a link to set a password could not be mailed', { error });
    });
  });
}

/**
 * Mails a link to the recovery address, but only if its owner has confirmed it and it still counts.
 * Otherwise any person who can enter a recovery address for the account could take it over.
 */
async function mailPasswordLink(ctx: Ctx, email: string): Promise<void> {
  const user = await User.findOne({ where: { email } });
  if (!user?.confirmedRecoveryEmail || !(await findUsableAccount(ctx, user))) return;
  const to = await findRecoveryAddress(ctx, user);
  if (!to) {
    log.warn('no link is mailed to a recovery email that does not count', { userId: String(user.id) });
    return;
  }
  const { allowed } = await consume(ctx.app.redis, `${rules.forgotMail.name}:${user.id}`, rules.forgotMail);
  if (!allowed) {
    log.warn('no more links to set a password are mailed today', { userId: String(user.id) });
    return;
  }
  await inTransaction(ctx, async (tx) => {
    const link = await createLink(tx, user, 'set_password', to, { isForStranger: true });
    const text = linkText(user.email, link, ctx.address);
    await sendNotice(tx, { companyId: String(user.companyId), to, subject: 'Set a new password', text });
    await recordAccountAudit(tx, user, 'password:reset-asked', { isByOwner: false });
  });
}

function linkText(account: string, link: string, address: string): string {
  return [
    'Hello,',
    '',
    `a new password was requested for ${account}. With this link you can set one, once and within 24 hours:`,
    '',
    link,
    '',
    'If it was not you, there is nothing to do: without the link the password stays as it is.',
    `The request came from the network address ${address || 'unknown'}.`,
    '',
  ].join('\n');
}
