import type { App } from '../context/app.ts';
import { type Ctx, systemContext } from '../context/context.ts';
import { GroupWork } from '../database/group-work.ts';
import { AppError } from '../errors.ts';
import type { LocalRecipient } from './entry-rows.ts';
import { bytesOfCompanies, bytesOfPeople, limitsOfPeople, type StorageLimits } from './storage-use.ts';

/*
 * Mail has room in a mailbox as long as neither the limit of the mailbox nor that of its company is
 * passed (D36). The figures belong to the folders that a transaction changes and holds locked, so a
 * check behind the change is exact for one folder. A message that reaches the inbox at the moment
 * another one reaches Sent, or a colleague's inbox, may pass the limit by itself.
 */

/** What is full. */
export type FullPlace = 'mailbox' | 'company';

const mailboxFullCode = 'mailbox_full';

const texts: Record<FullPlace, string> = {
  mailbox:
    'Your mailbox is full. Delete mail, also from the trash, or ask your administrator: they can raise its limit.',
  company: "Your company's storage is full. Ask your administrator: your provider can raise its limit.",
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
  const full = await judge(ctx, new Map([[userId, limits]]), bytes);
  return full.get(userId) ?? 'enough';
}

/** The people whose mailbox, or whose company, has no room for `bytes` more, by user id. */
export async function findFull(ctx: Ctx, userIds: readonly string[], bytes: number): Promise<Map<string, FullPlace>> {
  return await judge(ctx, await limitsOfPeople(ctx, userIds), bytes);
}

/**
 * Refuses what has filled the mailbox of a person, in the transaction that has written it.
 * @throws AppError `mailbox_full`
 */
export async function requireRoom(ctx: Ctx, userId: string, bytes = 0): Promise<void> {
  const place = (await findFull(ctx, [userId], bytes)).get(userId);
  if (place !== undefined) throw mailboxFull(place);
}

/** What the room for a message depends on. */
interface Addressed {
  recipients: readonly LocalRecipient[];
  isOwn?: boolean;
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
  const full = await findFull(ctx, [...new Set(bound.flatMap(peopleOf))], bytes);
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
  bytes: number,
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
      return isOver(ofCompanies.get(companyId), company) ? [[userId, 'company']] : [];
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
