import { authenticateMailbox } from '@selvage/core/directory/authenticate-mailbox';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import type { User } from '@selvage/core/models/user';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { networkOf } from '@selvage/core/access/network-of';
import { consume, forgive } from '@selvage/core/access/rate-limit';
import type { Reply } from '../reply.ts';

/** What a mail program signs in with. */
export interface Credentials {
  username: string;
  password: string;
  /** Of the peer. */
  address: string;
  sessionId: string;
}

/** The account, or the reply. */
export type SignIn = { user: User } | { refuse: Reply };

const wrong: Reply = {
  code: 535,
  enhancedCode: '5.7.8',
  text: 'Address or password is wrong',
  reason: 'not_allowed_to_send_as',
};
/**
 * RFC 4954 6: this way of signing in is weaker than the account asks for. Said only to who knows the password, and in words for a person:
 * mail programs show this line.
 */
const appPasswordNeeded: Reply = {
  code: 534,
  enhancedCode: '5.7.9',
  text: 'Two-factor is on: sign in with an app password, which you make in the account settings',
  reason: 'not_allowed_to_send_as',
};
const passwordIsOver: Reply = {
  ...appPasswordNeeded,
  text: 'Your password has to be changed first: sign in to the web mail with it',
};
const throttled: Reply = {
  code: 454,
  enhancedCode: '4.7.0',
  text: 'Too many attempts, try again later',
  reason: 'rate_limited',
};

const window = { windowSeconds: 600 };
/** Guesses at one account from one network; a right password starts the count again. */
const perAccount = { ...window, limit: 10 };
/** Of one address, right or wrong: an office behind one address sends far less often. */
const perAddress = { ...window, limit: 300 };

/** Signs a mail program in. Guessing is slowed by account and network, so that a guesser can't lock the owner out elsewhere. */
export async function signIn(app: App, credentials: Credentials): Promise<SignIn> {
  const { username, password, address, sessionId } = credentials;
  const account = normaliseAddress(username) ?? 'none';
  const accountKey = `submission-account:${account}:${networkOf(address)}`;
  const counts = await Promise.all([
    consume(app.redis, accountKey, perAccount),
    consume(app.redis, `submission-address:${address}`, perAddress),
  ]);
  if (counts.some(({ allowed }) => !allowed)) {
    log.warn('sign-in of a mail program throttled', { account, reason: 'rate_limited' });
    return { refuse: throttled };
  }
  const outcome = await authenticateMailbox({ ...systemContext(app, sessionId), address }, username, password);
  if (!outcome.ok) {
    log.info('sign-in of a mail program refused', { account, reason: outcome.reason });
    return { refuse: refusalOf(outcome.reason) };
  }
  await forgive(app.redis, accountKey);
  return { user: outcome.user };
}

function refusalOf(reason: 'wrong_credentials' | 'inactive' | 'second_factor' | 'password_change'): Reply {
  if (reason === 'second_factor') return appPasswordNeeded;
  return reason === 'password_change' ? passwordIsOver : wrong;
}
