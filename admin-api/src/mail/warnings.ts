import type { WarningDto } from '@selvage/core/contracts/email';
import type { Ctx } from '@selvage/core/context/context';
import { findNamesakes } from '@selvage/core/directory/find-namesakes';
import { domainOf } from '@selvage/core/mail/addresses';
import type { AuthenticationResults } from '@selvage/core/mail/authenticate-message';
import { hasEarlierMail } from '@selvage/core/mailstore/known-sender';
import { blobOf, type EntryWithMessage } from '@selvage/core/mailstore/find-entry';
import type { ReadEntry } from '@selvage/core/mailstore/read-entry';
import { isContentLost } from '@selvage/core/errors';
import { Domain } from '@selvage/core/models/domain';
import type { Message } from '@selvage/core/models/message';
import type { ShownBody } from './body-html.ts';
import { judgeSender } from './judge-sender.ts';
import { readMessages } from './message-readers.ts';

const mostDomains = 200;

/**
 * What speaks against a received message (D42), from what the host itself has: a few look-ups by
 * indexes. Mail that was written on this host was let in by its writer's password.
 */
export async function findWarnings(ctx: Ctx, item: ReadEntry, shown: ShownBody): Promise<WarningDto[]> {
  const { entry, message } = item;
  const results = message.authentication as AuthenticationResults | null;
  if (entry.sendStatus || results === null || message.fromAddress === '') return [];
  const dmarc = results.dmarc.result;
  const isFirst = await isFirstOf(ctx, item);
  const companyId = String(entry.companyId);
  return judgeSender({
    fromName: message.fromName,
    fromAddress: message.fromAddress,
    replyTo: shown.replyTo.map(({ address }) => address),
    dmarc,
    isFromList: shown.list.id !== null && isSigned(results),
    isBulk: dmarc === 'pass' && (shown.list.id !== null || shown.list.unsubscribe.https !== null),
    isFirst,
    ownDomains: isFirst ? await ownDomains(ctx, companyId) : [],
    isNameOfColleague: isFirst && (await isNameOfColleague(ctx, companyId, message)),
    links: shown.links,
  });
}

/** So many messages are read to tell a mailing list, which changes what it passes on. */
const mostRead = 10;

/**
 * The messages for which DMARC failed, by entry, so that a folded one has a sign as well. As when
 * it is open, what came by a proved mailing list is no failure; beyond the newest few it is not
 * told apart.
 */
export async function findFailedChecks(ctx: Ctx, items: readonly EntryWithMessage[]): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  let left = mostRead;
  for (const { entry, message } of items.toReversed()) {
    const results = message.authentication as AuthenticationResults | null;
    if (entry.sendStatus || results?.dmarc.result !== 'fail') continue;
    left -= 1;
    if (isSigned(results) && left >= 0 && (await isFromList(ctx, String(entry.userId), message))) continue;
    failed.add(String(entry.id));
  }
  return failed;
}

async function isFromList(ctx: Ctx, userId: string, message: Message): Promise<boolean> {
  const read = () => ctx.app.content.show(blobOf(message), `user:${userId}`);
  try {
    return (await readMessages(ctx.app, { userId, bytes: Number(message.size) }, read)).list.id !== null;
  } catch (error) {
    if (!isContentLost(error)) throw error;
    return false;
  }
}

function isSigned({ spf, dkim }: AuthenticationResults): boolean {
  return spf.result === 'pass' || dkim.some(({ result }) => result === 'pass');
}

async function isFirstOf(ctx: Ctx, { entry, message, conversation }: ReadEntry): Promise<boolean> {
  // The reader has written to the sender, so an answer is no surprise
  if (conversation.some((other) => other.entry.sendStatus)) return false;
  const facts = { userId: String(entry.userId), messageId: String(message.id), address: message.fromAddress };
  return (await hasEarlierMail(ctx, facts)) === false;
}

async function ownDomains(ctx: Ctx, companyId: string): Promise<string[]> {
  const rows = await Domain.findAll({
    attributes: ['domainName', 'verifiedAt'],
    where: { companyId, deletedAt: null },
    limit: mostDomains,
    transaction: ctx.tx,
  });
  return rows.flatMap(({ domainName, verifiedAt }) => (verifiedAt === null ? [] : [domainName]));
}

/** A colleague's other address, where they get their codes or their mail, is theirs. */
async function isNameOfColleague(
  ctx: Ctx,
  companyId: string,
  { fromName, fromAddress }: { fromName: string; fromAddress: string },
): Promise<boolean> {
  const name = fromName.replace(/^["']|["']$/g, '').trim();
  const [, last, first] = /^([^,]+),\s*([^,]+)$/.exec(name) ?? [];
  const written = last && first ? `${first} ${last}` : name;
  if (!/\S\s+\S/.test(written) || domainOf(fromAddress) === '') return false;
  const people = await findNamesakes(ctx, companyId, written);
  const from = fromAddress.toLowerCase();
  const isTheirs = people.some((one) => [one.confirmedRecoveryEmail, one.forwardTo].includes(from));
  return people.length > 0 && !isTheirs;
}
