import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { groupWorkOf, lookUpLimits } from '../database/group-work.ts';
import { AppError } from '../errors.ts';
import type { LocalRecipient } from './entry-rows.ts';
import { addToKeptSum, recentBytesOfCompanies } from './company-use.ts';
import { bytesOfCompanies, bytesOfPeople, limitsOfPeople, type StorageLimits } from './storage-use.ts';

/*
 * Mail has room in a mailbox as long as it exceeds neither the limit of the mailbox nor that of its
 * company (D36). The stored figures are in the folders that a transaction changes and holds locked,
 * so a check after the change is exact for one folder. If one message reaches the inbox at the same
 * moment as another one reaches Sent, or a colleague's inbox, the limit may be exceeded by the size
 * of a message. The use of a company may be some seconds old (`company-use.ts`).
 *
 * A message that is larger than a whole limit has no room in an empty mailbox either. Its sender is
 * told so at once, instead of retrying in vain.
 */

/** Which limit leaves no room; `never` when the message is larger than a whole limit. */
export type FullPlace = 'mailbox' | 'company' | 'never';

const mailboxFullCode = 'mailbox_full';
const neverFitsCode = 'larger_than_mailbox';

const texts: Record<FullPlace, string> = {
  never: 'The message is larger than your mailbox may hold. Ask your administrator to raise the limit.',
  mailbox: 'Your mailbox is full. Delete mail and empty the trash, or ask your administrator to raise the limit.',
  company: "Your company's storage is full. Ask your administrator: the provider can raise its limit.",
};

/**
 * There is no room for a message: 422 to HTTP. To SMTP it is 452 4.2.2, or 552 5.2.3 when there
 * never will be (RFC 3463 3.3).
 */
export function noRoomIn(place: FullPlace): AppError {
  return new AppError({
    status: 422,
    code: place === 'never' ? neverFitsCode : mailboxFullCode,
    publicText: texts[place],
  });
}

/** Says whether an error is that of `noRoomIn`, and of which kind. */
export function noRoomOf(error: unknown): 'now' | 'never' | null {
  if (!(error instanceof AppError)) return null;
  if (error.code === neverFitsCode) return 'never';
  return error.code === mailboxFullCode ? 'now' : null;
}

/**
 * Chooses what a sender is told when several mailboxes are full: `never` only if each of them is
 * too small for the message.
 */
export function placeToTell(places: readonly FullPlace[]): FullPlace | undefined {
  return places.find((place) => place !== 'never') ?? places[0];
}

/** How much room a mailbox has: `unlimited` when no limit holds for it. */
export type Room = 'unlimited' | 'enough' | FullPlace;

/**
 * What room a person's mailbox has for `bytes` more. If there is room, it counts them in the cached
 * sum of the person's company.
 */
export async function roomFor(ctx: Ctx, userId: string, bytes: number): Promise<Room> {
  const limits = await limitLookUps(ctx.app).add(userId);
  if (limits === null) return 'unlimited';
  const full = await judge(ctx, new Map([[userId, limits]]), { bytes });
  return full.get(userId) ?? 'enough';
}

/** The room that a message needs. */
interface Wanted {
  /** The size of a message; 1 where it is not known, 0 when it is stored already. */
  bytes: number;
  /** The size of a message that is stored already. */
  storedSize?: number;
  /** The use of a company is read from the database, and not taken from a cached sum. */
  isExact?: boolean;
  /**
   * Bytes by company that do not count, though they are stored: the copies of one message beyond
   * the first. A message that the company has room for once is not refused because it goes to
   * several of its people.
   */
  spared?: ReadonlyMap<string, number>;
}

/**
 * The people whose mailbox, or whose company, has no room, by user id. Counts `bytes` once in the
 * cached sum of each company in which a person has room.
 */
export async function findFull(ctx: Ctx, userIds: readonly string[], wanted: Wanted): Promise<Map<string, FullPlace>> {
  return await judge(ctx, await limitsOfPeople(ctx, userIds), wanted);
}

/** The bytes of a message's copies beyond the first in each company. */
export function bytesOfFurtherCopies(
  people: readonly Pick<LocalRecipient, 'userId' | 'companyId'>[],
  size: number,
): Map<string, number> {
  const ofCompany = Map.groupBy(people, ({ companyId }) => companyId);
  return new Map(
    [...ofCompany].map(([companyId, own]) => [companyId, (new Set(own.map(({ userId }) => userId)).size - 1) * size]),
  );
}

/**
 * Refuses a message without room in the mailbox of one of these people: before it is stored
 * (`bytes`), or in the transaction that has stored it (`storedSize`).
 * @throws AppError `mailbox_full`, or `larger_than_mailbox`
 */
export async function requireRoom(
  ctx: Ctx,
  userIds: readonly string[],
  message: { bytes: number } | { storedSize: number },
): Promise<void> {
  const [place] = (await findFull(ctx, userIds, { bytes: 0, ...message, isExact: true })).values();
  if (place !== undefined) throw noRoomIn(place);
}

/** The recipients and the size of a message, as far as its room depends on them. */
interface Addressed {
  recipients: readonly LocalRecipient[];
  isOwn?: boolean;
  /** Bytes of the message when it is stored already; 0 before. */
  storedBytes: number;
}

/**
 * Refuses the messages if one of them has no recipient with room for it. SMTP has one answer to the
 * data for all recipients, and recipients without room were refused at RCPT. So a message that one
 * recipient has room for is stored for the others as well, and may exceed their limit once.
 * @param bytes how much each of them adds to what is stored by now
 * @throws AppError `mailbox_full`, or `larger_than_mailbox`
 */
export async function requireRoomForEach(ctx: Ctx, messages: readonly Addressed[], bytes: number): Promise<void> {
  const bound = messages.filter(({ recipients, isOwn }) => !isOwn && !recipients.some((one) => one.isUnlimited));
  if (bound.length === 0) return;
  const spared = new Map<string, number>();
  for (const { recipients, storedBytes } of bound) {
    for (const [companyId, further] of bytesOfFurtherCopies(recipients, storedBytes)) {
      spared.set(companyId, (spared.get(companyId) ?? 0) + further);
    }
  }
  const full = await findFull(ctx, [...new Set(bound.flatMap(peopleOf))], { bytes, spared });
  for (const message of bound) {
    const people = peopleOf(message);
    const places = people.flatMap((userId) => full.get(userId) ?? []);
    const place = places.length === people.length ? placeToTell(places) : undefined;
    if (place !== undefined) throw noRoomIn(place);
  }
}

const peopleOf = ({ recipients }: Addressed): string[] => recipients.map(({ userId }) => userId);

async function judge(
  ctx: Ctx,
  limits: ReadonlyMap<string, StorageLimits>,
  wanted: Wanted,
): Promise<Map<string, FullPlace>> {
  const { bytes, spared, storedSize = bytes } = wanted;
  const people = [...limits];
  const limited = people.flatMap(([userId, { mailbox }]) => (mailbox === null ? [] : [userId]));
  const bounds = new Map(
    people.flatMap(([, { companyId, company }]): [string, number][] =>
      company === null ? [] : [[companyId, company - bytes + (spared?.get(companyId) ?? 0)]],
    ),
  );
  const ofPeople = await bytesOfPeople(ctx, limited);
  const ofCompanies = await usesOf(ctx, bounds, wanted);
  const isOver = (used: number | undefined, limit: number | null) => limit !== null && (used ?? 0) + bytes > limit;
  const neverFits = (limit: number | null) => limit !== null && storedSize > Math.max(limit, 1);
  const full = people.flatMap(([userId, { companyId, mailbox, company }]): [string, FullPlace][] => {
    if (neverFits(mailbox) || neverFits(company)) return [[userId, 'never']];
    if (isOver(ofPeople.get(userId), mailbox)) return [[userId, 'mailbox']];
    const isCompanyFull = company !== null && (ofCompanies.get(companyId) ?? 0) > (bounds.get(companyId) ?? 0);
    return isCompanyFull ? [[userId, 'company']] : [];
  });
  const found = new Map(full);
  const admitting = new Set(people.flatMap(([userId, { companyId }]) => (found.has(userId) ? [] : [companyId])));
  for (const companyId of admitting) addToKeptSum(ctx, companyId, bytes);
  return found;
}

/** The bytes that companies have stored: read from the database if `isExact`, else a recent sum. */
async function usesOf(
  ctx: Ctx,
  bounds: ReadonlyMap<string, number>,
  { isExact = false }: Wanted,
): Promise<Map<string, number>> {
  return isExact ? await bytesOfCompanies(ctx, [...bounds.keys()]) : await recentBytesOfCompanies(ctx, bounds);
}

/** User ids that callers add while a look-up is under way are looked up together. */
const limitLookUps = groupWorkOf<App, string, StorageLimits | null>(async (app, userIds) => {
  const found = await limitsOfPeople(systemContext(app), [...new Set(userIds)]);
  return userIds.map((id) => found.get(id) ?? null);
}, lookUpLimits);
