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
 * The warnings about a received message, the gravest first (D42). They take only a few indexed
 * look-ups in the host's own data. Mail that was written on this host has none: its writer signed
 * in with a password.
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

/** How many messages of a conversation are judged besides the opened one: the newest. */
const mostJudged = 10;

/**
 * The gravest warning about the sender of each other message of a conversation, by entry, so that a
 * collapsed message shows a sign: a stranger may answer in the name of a colleague, or from a
 * domain that looks like the company's. Links and Reply-To are not judged, since that needs the
 * text of the message, which this function does not read.
 * @param failed what `findFailedChecks` found for the same conversation
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
    // `findFailedChecks` leaves out a failed message only when it came by a mailing list
    if (isFromList || (results.dmarc.result === 'fail' && !hasFailed)) continue;
    const facts = await lookUpSender(ctx, item, [opened, ...conversation]);
    const [doubt] = judgeSender({ ...facts, replyTo: [], isFromList: false, isBulk: false, links: [] });
    if (doubt && doubt.code !== 'first_message') doubts.set(String(item.entry.id), doubt);
  }
  return doubts;
}

/**
 * A message may have no sender address, as reports do. No check can hold for it, so nothing proves
 * that it is from the person whom its name claims, when the reader knows such a person.
 */
async function doubtNameAlone(ctx: Ctx, { entry, message }: EntryWithMessage): Promise<WarningDto | null> {
  const { fromName, fromAddress } = message;
  if (entry.sendStatus || message.authentication === null || fromAddress !== '') return null;
  const isKnown =
    (await findColleagues(ctx, String(entry.companyId), fromName)).length > 0 ||
    (await findNamed(ctx, String(entry.userId), fromName)).length > 0;
  return isKnown ? { code: 'name_without_address', claimed: fromName, actual: null } : null;
}

/** The check results of a message that came from outside this host; null for any other message. */
function resultsOf({ entry, message }: EntryWithMessage): AuthenticationResults | null {
  if (entry.sendStatus || message.fromAddress === '') return null;
  return message.authentication as AuthenticationResults | null;
}

type LookedUp = Omit<SenderFacts, 'replyTo' | 'isFromList' | 'isBulk' | 'links'>;

/** Looks up what the host knows of a sender. */
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

/**
 * The domains that the reader may mistake the sender's domain for. Null for both when the reader
 * knows the sender's domain too.
 */
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
 * The address to which the reader writes to a person with the sender's name, if the reader does not
 * write to the sender's domain. Null otherwise: a person with a second address at a known domain is
 * nothing unusual.
 */
async function findNamesake(ctx: Ctx, userId: string, { fromName, fromAddress }: Message): Promise<string | null> {
  const domain = domainOf(fromAddress).toLowerCase();
  const addresses = domain === '' ? [] : await findNamed(ctx, userId, fromName);
  const [first] = addresses;
  if (first === undefined || addresses.some((address) => isTheSame(address, fromAddress))) return null;
  const isKnown = !freeMail.has(domain) && (await hasWrittenToSite(ctx, userId, domain));
  return isKnown ? null : first;
}

/** Addresses of one domain belong to one owner, except at free mail services. */
function isTheSame(one: string, other: string): boolean {
  if (one.toLowerCase() === other.toLowerCase()) return true;
  return !freeMail.has(domainOf(one).toLowerCase()) && isSameSite(domainOf(one), domainOf(other));
}

/**
 * How many messages are read at most to recognise a mailing list, which changes the messages that
 * it passes on.
 */
const mostRead = 10;

/**
 * The messages for which DMARC failed, by entry, so that a collapsed message shows a sign as well.
 * A message from a proved mailing list does not count as failed. Beyond the newest few messages,
 * lists are not recognised, so every failure counts.
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

/**
 * Whether the sender has the name of a colleague but not one of the colleague's addresses. The
 * colleague's recovery and forwarding addresses count as theirs.
 */
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

/** The people of the company who have a sender's name, which may be written as `Last, First`. */
async function findColleagues(ctx: Ctx, companyId: string, fromName: string) {
  const name = fromName.replace(/^["']|["']$/g, '').trim();
  const [, last, first] = /^([^,]+),\s*([^,]+)$/.exec(name) ?? [];
  const written = last && first ? `${first} ${last}` : name;
  return /\S\s+\S/.test(written) ? await findNamesakes(ctx, companyId, written) : [];
}
