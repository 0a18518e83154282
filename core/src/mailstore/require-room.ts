import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { GroupWork } from '../database/group-work.ts';
import { AppError } from '../errors.ts';
import type { LocalRecipient } from './entry-rows.ts';
import { bytesOfCompanies, bytesOfPeople, limitsOfPeople, type StorageLimits } from './storage-use.ts';

/*
 * Mail has room in a mailbox as long as neither the limit of the mailbox nor that of its company is
 * passed (D36). The figures belong to the folders that a transaction changes and holds locked, so a
 * check after the change is exact for one folder. A message that reaches the inbox at the moment
 * another one reaches Sent, or a colleague's inbox, may exceed the limit by its own size.
 */

/** What is full. */
export type FullPlace = 'mailbox' | 'company';

const mailboxFullCode = 'mailbox_full';

const texts: Record<FullPlace, string> = {
  mailbox:
    'Your mailbox is full. Delete mail, also from the trash, or ask your administrator: they can raise its limit.',
  company: "Your company's storage is full. Ask your administrator: the provider can raise its limit.",
};

/** There is no room for a message: 422 to HTTP, 452 4.2.2 to SMTP (RFC 3463 3.3). */
export function mailboxFull(place: FullPlace): AppError {
  return new AppError({ status: 422, code: mailboxFullCode, publicText: texts[place] });
}

/** Says whether an error is that of `mailboxFull`. */
export function isMailboxFull(error: unknown): boolean {
  return error instanceof AppError && error.code === mailboxFullCode;
}

/** How much room a mailbox has: `unlimited` when no limit holds for it. */
export type Room = 'unlimited' | 'enough' | FullPlace;

/** Whether a message of `bytes` more fits into the mailbox of a person. */
export async function roomFor(ctx: Ctx, userId: string, bytes: number): Promise<Room> {
  const limits = await limitsOf(ctx, userId);
  if (limits === null) return 'unlimited';
  const full = await judge(ctx, new Map([[userId, limits]]), { bytes });
  return full.get(userId) ?? 'enough';
}

/** What is looked for: room for `bytes` more. */
interface Wanted {
  bytes: number;
  /**
   * Bytes by company that do not count, though they are stored: the copies of one message beyond
   * the first. A message that the company has room for once is not refused because it goes to
   * several of its people.
   */
  spared?: ReadonlyMap<string, number>;
}

/** The people whose mailbox, or whose company, has no room, by user id. */
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
 * Refuses what has filled the mailbox of a person, in the transaction that has written it.
 * @throws AppError `mailbox_full`
 */
export async function requireRoom(ctx: Ctx, userId: string, bytes = 0): Promise<void> {
  const place = (await findFull(ctx, [userId], { bytes })).get(userId);
  if (place !== undefined) throw mailboxFull(place);
}

/** What the room for a message depends on. */
interface Addressed {
  recipients: readonly LocalRecipient[];
  isOwn?: boolean;
  /** Bytes of the message when it is stored already; 0 before. */
  storedBytes: number;
}

/**
 * Refuses messages of which one has no recipient with room for it. SMTP has one answer for all
 * recipients, and those that were full were refused at RCPT: so a message that one of them has room
 * for is stored for the others as well, and may pass their limit once.
 * @param bytes how much each of them adds to what is stored by now
 * @throws AppError `mailbox_full`
 */
export async function requireRoomForEach(ctx: Ctx, messages: readonly Addressed[], bytes: number): Promise<void> {
  const bound = messages.filter(({ recipients, isOwn }) => !isOwn && !recipients.some((one) => one.isUnlimited));
  const spared = new Map<string, number>();
  for (const { recipients, storedBytes } of bound) {
    for (const [companyId, further] of bytesOfFurtherCopies(recipients, storedBytes)) {
      spared.set(companyId, (spared.get(companyId) ?? 0) + further);
    }
  }
  const full = await findFull(ctx, [...new Set(bound.flatMap(peopleOf))], { bytes, spared });
  for (const message of bound) {
    const places = peopleOf(message).map((userId) => full.get(userId));
    const [place] = places;
    if (place !== undefined && !places.includes(undefined)) throw mailboxFull(place);
  }
}

const peopleOf = ({ recipients }: Addressed): string[] => recipients.map(({ userId }) => userId);

async function judge(
  ctx: Ctx,
  limits: ReadonlyMap<string, StorageLimits>,
  { bytes, spared }: Wanted,
): Promise<Map<string, FullPlace>> {
  const people = [...limits];
  const limited = people.flatMap(([userId, { mailbox }]) => (mailbox === null ? [] : [userId]));
  const companyIds = people.flatMap(([, { companyId, company }]) => (company === null ? [] : [companyId]));
  const [ofPeople, ofCompanies] = [
    await bytesOfPeople(ctx, limited),
    await bytesOfCompanies(ctx, [...new Set(companyIds)]),
  ];
  const isOver = (used: number | undefined, limit: number | null) => limit !== null && (used ?? 0) + bytes > limit;
  return new Map(
    people.flatMap(([userId, { companyId, mailbox, company }]): [string, FullPlace][] => {
      if (isOver(ofPeople.get(userId), mailbox)) return [[userId, 'mailbox']];
      const used = (ofCompanies.get(companyId) ?? 0) - (spared?.get(companyId) ?? 0);
      return isOver(used, company) ? [[userId, 'company']] : [];
    }),
  );
}

const lookUps = new WeakMap<App, GroupWork<string, StorageLimits | null>>();
const lookUpLimits = { items: 100, lanes: 4, patienceMs: 20, gatherMs: 0 };

/** People that are asked for while a look-up is under way are looked up together. */
async function limitsOf(ctx: Ctx, userId: string): Promise<StorageLimits | null> {
  const { app } = ctx;
  let group = lookUps.get(app);
  if (group === undefined) {
    group = new GroupWork(async (userIds) => {
      const found = await limitsOfPeople(systemContext(app), [...new Set(userIds)]);
      return userIds.map((id) => found.get(id) ?? null);
    }, lookUpLimits);
    lookUps.set(app, group);
  }
  return await group.add(userId);
}
