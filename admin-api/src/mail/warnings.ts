import type { WarningDto } from '@selvage/core/contracts/email';
import type { Ctx } from '@selvage/core/context/context';
import { findSimilarCorrespondent, hasWrittenToSite } from '@selvage/core/directory/correspondent-looks';
import { findNamed, hasWrittenTo } from '@selvage/core/directory/correspondents';
import { findNamesakes } from '@selvage/core/directory/find-namesakes';
import { domainOf } from '@selvage/core/mail/address-rules';
import type { AuthenticationResults } from '@selvage/core/mail/authenticate-message';
import { isMistakenFor, siteOf } from '@selvage/core/mail/alike-domains';
import { isSameSite } from '@selvage/core/mail/domain-name';
import { freeMail } from '@selvage/core/mail/free-mail';
import { hasEarlierMail, hasTrustedSite } from '@selvage/core/mailstore/known-sender';
import { blobOf, type EntryWithMessage } from '@selvage/core/mailstore/find-entry';
import type { ReadEntry } from '@selvage/core/mailstore/read-entry';
import { isContentLost } from '@selvage/core/errors';
import { Domain } from '@selvage/core/models/domain';
import type { Message } from '@selvage/core/models/message';
import type { ShownBody } from './body-html.ts';
import { judgeSender, type SenderFacts } from './judge-sender.ts';
import { readMessages } from './message-readers.ts';

const mostDomains = 200;

/**
 * What speaks against a received message (D42), from what the host itself has: a few look-ups by
 * indexes. Mail that was written on this host was let in by its writer's password.
 */
export async function findWarnings(ctx: Ctx, item: ReadEntry, shown: ShownBody): Promise<WarningDto[]> {
  const alone = await doubtNameAlone(ctx, item);
  if (alone !== null) return [alone];
  const results = resultsOf(item);
  if (results === null) return [];
  return judgeSender({
    ...(await lookUpSender(ctx, item, item.conversation)),
    replyTo: shown.replyTo.map(({ address }) => address),
    isFromList: shown.list.id !== null && isSigned(results),
    isBulk: results.dmarc.result === 'pass' && (shown.list.id !== null || shown.list.unsubscribe.https !== null),
    links: shown.links,
  });
}

/** How many messages of a conversation are judged beside the open one: the newest. */
const mostJudged = 10;

/**
 * What speaks against the senders of the other messages of a conversation, the gravest of each by
 * entry, so that a folded one has a sign: a stranger may answer in the name of a colleague, or from
 * a domain that looks like the company's. Links and the way of an answer stand in a text, which is
 * not read for this.
 * @param failed what `findFailedChecks` found of the same conversation
 */
export async function findDoubts(
  ctx: Ctx,
  { conversation, ...opened }: ReadEntry,
  failed: ReadonlySet<string>,
): Promise<ReadonlyMap<string, WarningDto>> {
  const doubts = new Map<string, WarningDto>();
  const received = conversation.filter(({ entry, message }) => !entry.sendStatus && message.authentication !== null);
  for (const item of received.slice(-mostJudged)) {
    const alone = await doubtNameAlone(ctx, item);
    if (alone !== null) doubts.set(String(item.entry.id), alone);
    const results = resultsOf(item);
    if (alone !== null || results === null) continue;
    const hasFailed = failed.has(String(item.entry.id));
    const isFromList = item.message.listId != null && isSigned(results);
    // one that failed and is not among these came by a list
    if (isFromList || (results.dmarc.result === 'fail' && !hasFailed)) continue;
    const facts = await lookUpSender(ctx, item, [opened, ...conversation]);
    const [doubt] = judgeSender({ ...facts, replyTo: [], isFromList: false, isBulk: false, links: [] });
    if (doubt && doubt.code !== 'first_message') doubts.set(String(item.entry.id), doubt);
  }
  return doubts;
}

/**
 * A message may be from no address, as reports are. No check can hold for it, so the name of a
 * person whom the reader knows is a claim that nothing bears out.
 */
async function doubtNameAlone(ctx: Ctx, { entry, message }: EntryWithMessage): Promise<WarningDto | null> {
  const { fromName, fromAddress } = message;
  if (entry.sendStatus || message.authentication === null || fromAddress !== '') return null;
  const isKnown =
    (await findColleagues(ctx, String(entry.companyId), fromName)).length > 0 ||
    (await findNamed(ctx, String(entry.userId), fromName)).length > 0;
  return isKnown ? { code: 'name_without_address', claimed: fromName, actual: null } : null;
}

/** What the checks said of a message that came from elsewhere; null for any other. */
function resultsOf({ entry, message }: EntryWithMessage): AuthenticationResults | null {
  if (entry.sendStatus || message.fromAddress === '') return null;
  return message.authentication as AuthenticationResults | null;
}

type LookedUp = Omit<SenderFacts, 'replyTo' | 'isFromList' | 'isBulk' | 'links'>;

/** What the host knows of a sender. */
async function lookUpSender(
  ctx: Ctx,
  item: EntryWithMessage,
  conversation: readonly EntryWithMessage[],
): Promise<LookedUp> {
  const { entry, message } = item;
  const isFirst = await isFirstOf(ctx, item);
  const companyId = String(entry.companyId);
  const own = isFirst ? await ownDomains(ctx, companyId) : [];
  const isColleague = own.includes(domainOf(message.fromAddress).toLowerCase());
  const isStranger = isFirst && !isColleague;
  return {
    fromName: message.fromName,
    fromAddress: message.fromAddress,
    dmarc: resultsOf(item)?.dmarc.result ?? 'none',
    isFirst,
    isAnswer: conversation.some((other) => other.entry.sendStatus),
    ownDomains: own,
    ...(await findSimilar(ctx, item, own)),
    isNameOfColleague: isStranger && (await isNameOfColleague(ctx, companyId, message)),
    namesake: isStranger ? await findNamesake(ctx, String(entry.userId), message) : null,
  };
}

/** The domains that the sender's may be taken for, unless the reader knows it as well. */
async function findSimilar(
  ctx: Ctx,
  { entry, message }: EntryWithMessage,
  own: readonly string[],
): Promise<Pick<SenderFacts, 'similarOwn' | 'similarKnown'>> {
  const domain = domainOf(message.fromAddress).toLowerCase();
  const site = siteOf(domain);
  const none = { similarOwn: null, similarKnown: null };
  if (site === null || own.some((one) => isSameSite(one, domain))) return none;
  const userId = String(entry.userId);
  const similarKnown = await findSimilarCorrespondent(ctx, userId, domain);
  const similarOwn = own.find((one) => isMistakenFor(domain, one)) ?? null;
  if (similarKnown === null && similarOwn === null) return none;
  const isKnown =
    (await hasWrittenToSite(ctx, userId, domain)) ||
    (await hasTrustedSite(ctx, { userId, site, before: entry.arrivedAt }));
  return isKnown ? none : { similarOwn, similarKnown };
}

/**
 * Where the reader writes to a person with the sender's name, if the sender's address is at a
 * domain that the reader does not write to. Another address at the same domain is no news.
 */
async function findNamesake(ctx: Ctx, userId: string, { fromName, fromAddress }: Message): Promise<string | null> {
  const domain = domainOf(fromAddress).toLowerCase();
  const addresses = domain === '' ? [] : await findNamed(ctx, userId, fromName);
  const [first] = addresses;
  if (first === undefined || addresses.some((address) => isTheSame(address, fromAddress))) return null;
  const isKnown = !freeMail.has(domain) && (await hasWrittenToSite(ctx, userId, domain));
  return isKnown ? null : first;
}

/** Addresses of one domain are of one owner, unless anyone on the internet can get one there. */
function isTheSame(one: string, other: string): boolean {
  if (one.toLowerCase() === other.toLowerCase()) return true;
  return !freeMail.has(domainOf(one).toLowerCase()) && isSameSite(domainOf(one), domainOf(other));
}

/** How many messages are read to recognise a mailing list, which changes what it passes on. */
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

async function isFirstOf(ctx: Ctx, { entry, message }: EntryWithMessage): Promise<boolean> {
  const userId = String(entry.userId);
  const address = message.fromAddress;
  // The reader has written to this sender, so an answer is no surprise
  if (await hasWrittenTo(ctx, userId, address)) return false;
  return (await hasEarlierMail(ctx, { userId, messageId: String(message.id), address })) === false;
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
  if (domainOf(fromAddress) === '') return false;
  const people = await findColleagues(ctx, companyId, fromName);
  const from = fromAddress.toLowerCase();
  const isTheirs = people.some((one) => [one.confirmedRecoveryEmail, one.forwardTo].includes(from));
  return people.length > 0 && !isTheirs;
}

/** The people of a company with a sender's name. */
async function findColleagues(ctx: Ctx, companyId: string, fromName: string) {
  const name = fromName.replace(/^["']|["']$/g, '').trim();
  const [, last, first] = /^([^,]+),\s*([^,]+)$/.exec(name) ?? [];
  const written = last && first ? `${first} ${last}` : name;
  return /\S\s+\S/.test(written) ? await findNamesakes(ctx, companyId, written) : [];
}
