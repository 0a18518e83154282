import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { isLoginInForce, type MailLogin } from '@selvage/core/directory/mail-login';
import { isOwnAddress } from '@selvage/core/directory/own-address';
import type { Reply } from '../reply.ts';

/**
 * smtp-server ends the connection with this reply. A mail program then logs in anew, and hears why
 * it may not.
 */
const loginOver: Reply = {
  code: 421,
  enhancedCode: '4.7.0',
  text: 'Your login does not hold any more, log in again',
  reason: 'login_required',
};

const notOwn: Reply = {
  code: 553,
  enhancedCode: '5.7.1',
  text: 'You can send from your own address and your aliases only',
  reason: 'not_allowed_to_send_as',
};

/**
 * The reply that refuses MAIL FROM, or null. A person sends from the account's own address and its
 * aliases only, and for as long as the login of the connection would be taken again. Read receipts
 * come with the null sender (RFC 8098 2.1); they leave with the mailbox of the account as any mail.
 */
export async function checkSender(app: App, address: string, login: MailLogin): Promise<Reply | null> {
  const ctx = systemContext(app);
  const [isInForce, isOwn] = await Promise.all([
    isLoginInForce(ctx, login),
    address === '' || isOwnAddress(ctx, login.user, address),
  ]);
  if (!isInForce) return loginOver;
  return isOwn ? null : notOwn;
}
