import type { UnsubscribeDto } from '@selvage/core/contracts/email';
import { askStranger } from '@selvage/core/dns/ask-stranger';
import { notFound } from '@selvage/core/errors';
import { log } from '@selvage/core/log';
import type { AuthenticationResults } from '@selvage/core/mail/authenticate-message';
import type { ListFields } from '@selvage/core/mail/parsed-message';
import { blobOf, type EntryWithMessage, findEntry } from '@selvage/core/mailstore/find-entry';
import { countAttempt, type Rule } from '../auth/throttle.ts';
import type { SignedIn } from '../http/request-context.ts';
import { readMessages } from './message-readers.ts';

const perPerson: Rule = { name: 'unsubscribe', limit: 30, windowSeconds: 3600 };
const patienceMs = 15_000;

/**
 * How the reader of a message can leave the mailing list that sent it. Null when the message names
 * no way, or when no signature proves its sender: a forged message could make the host send a
 * request to any address that a stranger chooses.
 */
export function findWayOut({ entry, message }: EntryWithMessage, { unsubscribe }: ListFields): UnsubscribeDto | null {
  const results = message.authentication as AuthenticationResults | null;
  const isProved = results?.dmarc.result === 'pass' || results?.dkim.some(({ result }) => result === 'pass');
  if (entry.sendStatus || !isProved) return null;
  const { https, mailto, isOneClick } = unsubscribe;
  // RFC 8058 4: unless DKIM signs these headers, any server on the way may have added the address
  const isSigned = results?.dkim.some((one) => one.result === 'pass' && one.coversOneClick === true);
  if (https !== null && isOneClick && isSigned) return { way: 'one_click', to: new URL(https).hostname };
  if (mailto !== null) return { way: 'mail', to: mailto };
  return https === null ? null : { way: 'page', to: https };
}

/**
 * Sends the sender's server one request that says that the reader wants no more messages (RFC
 * 8058). The request tells it nothing else.
 * @returns whether the server accepted it
 * @throws 404 for a message that names no such server; 429
 */
export async function unsubscribe(ctx: SignedIn, entryId: string): Promise<{ done: boolean }> {
  const { userId } = ctx.actor;
  const item = await findEntry(ctx, { userId, entryId });
  const reading = { userId, bytes: Number(item.message.size) };
  const { list } = await readMessages(ctx.app, reading, () =>
    ctx.app.content.show(blobOf(item.message), `user:${userId}`),
  );
  const { https } = list.unsubscribe;
  if (findWayOut(item, list)?.way !== 'one_click' || https === null) throw notFound('list');
  await countAttempt(ctx.app, perPerson, userId);
  try {
    const answer = await askStranger({
      url: https,
      form: 'List-Unsubscribe=One-Click',
      signal: AbortSignal.timeout(patienceMs),
      mayBePlain: false,
      // RFC 8058 3.1: the address must take the request itself
      redirects: 0,
      headers: {},
      resolver: ctx.app.resolver,
      mayBePrivate: ctx.app.config.remoteContentAllowPrivate,
    });
    answer.destroy();
    const { statusCode = 0 } = answer;
    return { done: statusCode >= 200 && statusCode < 300 };
  } catch (error) {
    log.info('a list did not take that its reader unsubscribes', { error });
    return { done: false };
  }
}
