import { authenticateMailbox, type MailboxAuthentication } from '@selvage/core/directory/authenticate-mailbox';
import { countWrongPassword, secondsUntilTry } from '@selvage/core/outbound/password-guesses';
import type { MailLogin } from '@selvage/core/directory/mail-login';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import type { App } from '@selvage/core/context/app';
import { systemContext } from '@selvage/core/context/context';
import { KeyedLock } from '@selvage/core/keyed-lock';
import { log } from '@selvage/core/log';
import { rememberNetwork } from '@selvage/core/access/known-networks';
import { blockOf, networkOf } from '@selvage/core/access/network-of';
import { consume, isUsedUp } from '@selvage/core/access/rate-limit';
import type { RefusedMailLogins } from '@selvage/core/access/refused-mail-logins';
import type { User } from '@selvage/core/models/user';
import { SecretCache } from '@selvage/core/secrets/secret-cache';
import type { Reply } from '../reply.ts';

/** What a mail program logs in with. */
export interface Credentials {
  username: string;
  password: string;
  /** IP address of the peer. */
  address: string;
  sessionId: string;
}

/** The login, or the reply that refuses it. */
export type LoginOutcome = MailLogin | { refuse: Reply };

const wrong: Reply = {
  code: 535,
  enhancedCode: '5.7.8',
  text: 'The email address or the password is wrong',
  reason: 'login_required',
};
/**
 * RFC 4954 6: this way of logging in is weaker than the account asks for. Only a peer that knows
 * the password gets this reply. The words are for the person, since mail programs show them.
 */
const appPasswordNeeded: Reply = {
  code: 534,
  enhancedCode: '5.7.9',
  text: 'Two-factor is on: log in with an app password, which you make in the account settings',
  reason: 'login_required',
};
/** Until the second factor is set up, the webmail lets its person do nothing else. */
const twoFactorNeeded: Reply = {
  ...appPasswordNeeded,
  text: 'Your company requires two-factor: set it up in the webmail, then make an app password there to log in with',
};
const passwordIsOver: Reply = {
  ...appPasswordNeeded,
  text: 'Your password must be changed first: log in to the webmail with it',
};
const throttled: Reply = {
  code: 454,
  enhancedCode: '4.7.0',
  text: 'Too many failed logins, try again later',
  reason: 'rate_limited',
};

const door = 'mail';
const window = { windowSeconds: 600 };
/** Wrong passwords of one account from one network. */
const perAccount = { ...window, limit: 10 };
/** The same from a whole block of addresses: one customer may have 65,536 networks of IPv6. */
const perAccountBlock = { windowSeconds: 900, limit: 30 };
/** The same from one network, whatever the account. */
const perNetwork = { ...window, limit: 300 };
/**
 * Failed logins of one account from one network that are no guesses: the same wrong password again,
 * or the right one where it is not enough. They count by the account, since a scanner with an old
 * password must not shut out the colleagues behind its address.
 */
const repeatsPerAccount = { ...window, limit: 300 };
/**
 * Repeats of wrong passwords from one network, whatever the account. Each costs a password hash. At
 * the limit only further repeats are refused.
 */
const repeatsPerNetwork = { ...window, limit: 1000 };

/**
 * Within one process, logins of one account from one block run one after the other. So each guess
 * is counted before the process tries the next one; several processes together may pass a limit by
 * one guess each. A program that opens many connections at once costs one slow password hash a
 * process.
 */
const turns = new KeyedLock();
/**
 * Wrong passwords that were tried lately. A program that repeats one wrong password is not
 * guessing, so each process counts the password once. Kept as long as the longest window of a
 * limit.
 */
const wrongPasswords = new SecretCache({ ttlMs: 900_000, entries: 10_000 });
/**
 * Wrong passwords of which the count of the day knows already, from whatever network. A program
 * with an old password tries it all day, and must not use up the day of its owner.
 */
const countedToday = new SecretCache({ ttlMs: 86_400_000, entries: 10_000 });

/**
 * Logs a mail program in. Guesses are counted by account and network, so that an attacker can't
 * lock the owner out elsewhere. Only failures are counted, and noted for the audit trail. A login
 * that could not be decided, for example while the database is away, is no failure: mail programs
 * keep trying then.
 */
export async function logIn(app: App, credentials: Credentials, refused: RefusedMailLogins): Promise<LoginOutcome> {
  const account = normaliseAddress(credentials.username) ?? 'none';
  const { address } = credentials;
  const guesser = { account, network: networkOf(address), block: blockOf(address) };
  return await turns.run(`${account}|${guesser.block}`, () => takeTurn(app, credentials, guesser, refused));
}

interface Guesser {
  account: string;
  network: string;
  block: string;
}

async function takeTurn(
  app: App,
  credentials: Credentials,
  guesser: Guesser,
  refused: RefusedMailLogins,
): Promise<LoginOutcome> {
  const { username, password, address, sessionId } = credentials;
  const { account } = guesser;
  const ctx = { ...systemContext(app, sessionId), address };
  const isRefused = async (user: User | null) =>
    (await isThrottled(app, guesser, password)) || (await secondsUntilTry(ctx, { door, account, user })) > 0;
  const outcome = await authenticateMailbox(ctx, username, password, isRefused);
  if (outcome.ok) {
    const { user, appPasswordId } = outcome;
    if (appPasswordId === null) await rememberNetwork(app, String(user.id), guesser.network);
    return { user, appPasswordId };
  }
  if (outcome.reason === 'throttled') {
    log.warn('login of a mail program throttled', { account, reason: 'rate_limited' });
    return { refuse: throttled };
  }
  log.info('login of a mail program refused', { account, reason: outcome.reason });
  const { user } = outcome;
  refused.note({ user: user && { id: String(user.id), companyId: String(user.companyId) }, address });
  const isGuess = outcome.reason === 'wrong_credentials' || outcome.reason === 'inactive';
  const isNew = await countFailure(app, guesser, isGuess ? password : null);
  if (isNew && !countedToday.has(account, password)) {
    countedToday.add(account, password);
    await countWrongPassword(ctx, { door, account, user });
  }
  return { refuse: refusalOf(outcome) };
}

const accountKey = ({ account, network }: Guesser) => `submission-account:${account}:${network}`;
const accountBlockKey = ({ account, block }: Guesser) => `submission-account-block:${account}:${block}`;
const networkKey = ({ network }: Guesser) => `submission-network:${network}`;
const repeatsKey = ({ account, network }: Guesser) => `submission-repeats:${account}:${network}`;
const networkRepeatsKey = ({ network }: Guesser) => `submission-network-repeats:${network}`;

/**
 * Checked before the account's own password: beyond the limit, the reply must not tell a right
 * password from a wrong one.
 */
async function isThrottled({ redis }: App, guesser: Guesser, password: string): Promise<boolean> {
  const answers = await Promise.all([
    isUsedUp(redis, accountKey(guesser), perAccount),
    isUsedUp(redis, accountBlockKey(guesser), perAccountBlock),
    isUsedUp(redis, networkKey(guesser), perNetwork),
    isUsedUp(redis, repeatsKey(guesser), repeatsPerAccount),
    isRepeat(guesser, password) && isUsedUp(redis, networkRepeatsKey(guesser), repeatsPerNetwork),
  ]);
  return answers.includes(true);
}

const isRepeat = ({ account, block }: Guesser, password: string): boolean =>
  wrongPasswords.has(account, block, password);

/**
 * Counts a failed login. `guess` is the password, or null when the reply says that it was right.
 * @returns whether it was a new guess
 */
async function countFailure({ redis }: App, guesser: Guesser, guess: string | null): Promise<boolean> {
  if (guess === null || isRepeat(guesser, guess)) {
    await consume(redis, repeatsKey(guesser), repeatsPerAccount);
    if (guess !== null) await consume(redis, networkRepeatsKey(guesser), repeatsPerNetwork);
    return false;
  }
  wrongPasswords.add(guesser.account, guesser.block, guess);
  await consume(redis, networkKey(guesser), perNetwork);
  await consume(redis, accountKey(guesser), perAccount);
  await consume(redis, accountBlockKey(guesser), perAccountBlock);
  return true;
}

function refusalOf({ reason, user }: Extract<MailboxAuthentication, { ok: false }>): Reply {
  if (reason === 'second_factor') return user?.twoFactorStatus ? appPasswordNeeded : twoFactorNeeded;
  return reason === 'password_change' ? passwordIsOver : wrong;
}
