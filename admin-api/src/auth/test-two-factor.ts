import { encodePassword } from '@selvage/core/contracts/fields';
import { Delivery } from '@selvage/core/models/delivery';
import { Message } from '@selvage/core/models/message';
import { User } from '@selvage/core/models/user';
import { Secret, TOTP } from 'otpauth';
import type { Mailbox } from '../../../tests/support/factories.ts';
import type { Answer, TestServer } from '../test-server.ts';

type Headers = Record<string, string>;

/** The code that a person's app shows now, or `steps` time steps later. */
export function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
}

/** A code that is wrong now and in the accepted steps before and after. */
export function wrongCodeOf(secret: string): string {
  const right = new Set([-2, -1, 0, 1, 2].map((steps) => codeOf(secret, steps)));
  return ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !right.has(code)) ?? '';
}

/** The cookie that an answer sets, as a request sends it. */
export function cookieOf(answer: Answer): string {
  return answer.headers.getSetCookie().at(-1)?.split(';')[0] ?? '';
}

/**
 * Logs in and turns two-factor on as the settings page does. Afterwards the current code of the app
 * can be used again.
 */
export async function turnOn(server: TestServer, { user, password }: Mailbox, headers: Headers = {}) {
  const first = await logIn(server, { user, password }, headers);
  const token = String(first.body['token']);
  const begun = await server.call('POST', '/user/verify_password', {
    token,
    headers,
    body: { password: encodePassword(password), onoff_status: true },
  });
  const secret = String(begun.body['secret']);
  const body = { otp: codeOf(secret), tfa_status: true };
  const confirmed = await server.call('POST', '/user/verify_otp', { token, headers, body });
  await User.update({ twoFactorLastStep: 0 }, { where: { id: user.id } });
  return { token, secret, begun, confirmed, recoveryCodes: confirmed.body['recovery_codes'] as string[] };
}

/** The first step of a login. */
export async function logIn(
  server: TestServer,
  { user, password }: Pick<Mailbox, 'user' | 'password'>,
  headers: Headers = {},
): Promise<Answer> {
  const body = { email: user.email, password: encodePassword(password), ...(await server.captcha()) };
  return await server.call('POST', '/user/login', { body, headers });
}

/**
 * Does the first step of a login that needs a second one. Returns the cookie of the unfinished
 * login.
 */
export async function begin(server: TestServer, mailbox: Mailbox, headers: Headers = {}): Promise<string> {
  return cookieOf(await logIn(server, mailbox, headers));
}

/** The raw text of the latest message that the host sent to an address. */
export async function latestNotice(server: TestServer, to: string): Promise<string> {
  const delivery = await Delivery.findOne({ where: { recipient: to }, order: [['id', 'DESC']] });
  const message = await Message.findByPk(delivery?.messageId ?? '0');
  if (!message) throw new Error(`nothing was mailed to ${to}`);
  const parts: Buffer[] = [];
  for await (const part of server.app.blobs.get(message.blobKey)) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
