import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { isLoginInForce, type MailLogin } from '@selvage/core/directory/mail-login';
import { isOwnAddress } from '@selvage/core/directory/own-address';
import type { Reply } from '../reply.ts';

/**
 * The reply when the login of the connection would no longer be accepted. smtp-server ends the
 * connection with it. The mail program then logs in again, and is told why it may not.
 */
export const loginOver: Reply = {
  code: 421,
  enhancedCode: '4.7.0',
  text: 'Your login is no longer valid, log in again',
  reason: 'login_required',
};

const notOwn: Reply = {
  code: 553,
  enhancedCode: '5.7.1',
  text: 'You can send from your own address and your aliases only',
  reason: 'not_allowed_to_send_as',
};

/**
 * The reply that refuses MAIL FROM, or null. A person may send only from the account's own address
 * and its aliases, and only while the login of the connection would still be accepted. A read
 * receipt has the null sender (RFC 8098 3). This host sends it on with the account's address, as
 * it does with any message.
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
