import { countGroupPeople, mostPeople } from '../directory/count-group-people.ts';
import { isOwnAddress } from '../directory/own-address.ts';
import { type ResolvedPerson, resolveRecipient } from '../directory/resolve-recipient.ts';
import { AppError, forbidden, invalid, tooLarge, tooMany } from '../errors.ts';
import { parseAddress } from '../mail/addresses.ts';
import type { MessageSummary } from '../mail/parsed-message.ts';
import type { User } from '../models/user.ts';
import type { Config } from '../process/config.ts';
import type { Ctx } from '../context/context.ts';
import { holdsPermission, maySendNow, missingPermission } from '../access/effective-permissions.ts';
import { consume, consumeWithin, type RateAnswer, type RateLimit } from '../access/rate-limit.ts';

/**
 * The most recipients that one person may write to in an hour, unless the operator allows one
 * message to have more.
 */
export const recipientsPerHour = 500;
const hourMs = 3_600_000;
/** Within an hour, a person who takes messages back gets the recipients of so many hours back. */
const mostUndoneHours = 10;

/**
 * Refuses a person whose mailbox, domain or company is not in use (D7): a mailbox that gets no mail
 * sends none.
 * @returns the person, as their mailbox was found
 */
export async function checkMailboxInUse(ctx: Ctx, user: User): Promise<ResolvedPerson> {
  const own = await findMailboxInUse(ctx, user);
  if (own === null) throw forbidden('Your mailbox is not active, so it cannot send.', 'mailbox_inactive');
  return own;
}

/** Whether a person's mailbox, domain and company are in use. */
export async function isMailboxInUse(ctx: Ctx, user: User): Promise<boolean> {
  return (await findMailboxInUse(ctx, user)) !== null;
}

async function findMailboxInUse(ctx: Ctx, user: User): Promise<ResolvedPerson | null> {
  const own = await resolveRecipient(ctx, user.email);
  return own.kind === 'deliver' && own.userId === String(user.id) ? own : null;
}

/**
 * Refuses a person without the permission to send (D33), from the web app and mail programs alike.
 */
export async function checkMaySend(ctx: Ctx, user: User): Promise<void> {
  if (!(await maySend(ctx, user))) throw missingPermission('You may not send mail. Ask your administrator.');
}

/** Whether a person has the permission to send. */
export async function maySend(ctx: Ctx, user: User): Promise<boolean> {
  return ctx.actor ? holdsPermission(ctx.actor.permissions, 'sent', 'create') : await maySendNow(ctx, String(user.id));
}

/** Refuses a message that is larger than the host takes. */
export function checkSize(config: Config, raw: Buffer): void {
  if (raw.length <= config.maxMessageBytes) return;
  const limit = Math.floor(config.maxMessageBytes / 1_048_576);
  throw tooLarge(`The message is too large: at most ${limit} MB with its attachments.`, 'message_too_large');
}

/**
 * Refuses any author or sender but the person's own address and aliases. The caller has already
 * checked that there is exactly one author.
 */
export async function checkFrom(
  ctx: Ctx,
  user: User,
  { from, sender }: { from: string; sender: MessageSummary['sender'] },
): Promise<void> {
  for (const address of sender ? [from, sender.address] : [from]) {
    if (await isOwnAddress(ctx, user, address)) continue;
    throw forbidden('You can send from your own address and your aliases only.', 'not_allowed_to_send_as');
  }
}

/**
 * The recipients of the envelope, each address once, domains in lower case.
 * @throws AppError when there is no recipient, an address is not valid, or there are too many
 */
export function checkRecipients(config: Config, named: readonly string[]): string[] {
  const recipients = new Set<string>();
  for (const text of named) {
    const parts = parseAddress(text.trim());
    if (!parts) throw invalid({ recipients: `${JSON.stringify(text.slice(0, 320))} is not an email address` });
    // RFC 5321 2.4: only the domain is compared without regard to case; the receiver decides about
    // the local part
    recipients.add(parts.address);
  }
  if (recipients.size === 0) throw invalid({ recipients: 'Name at least one recipient' });
  if (recipients.size > config.maxRecipients) {
    throw invalid({ recipients: `At most ${config.maxRecipients} recipients` });
  }
  return [...recipients];
}

/**
 * Refuses a message that groups of this host would lead to more people than one message may have
 * (D35). A single group always fits.
 */
export async function checkPeople(ctx: Ctx, recipients: readonly string[]): Promise<void> {
  if (recipients.length === 1) return;
  if ((await countGroupPeople(ctx, recipients)) <= mostPeople) return;
  const problem = `The groups among the recipients have more than ${mostPeople} people together. Name each group once, and write to some of them in another message`;
  throw new AppError({ status: 422, code: 'too_many_people', publicText: problem, fields: { recipients: problem } });
}

/** Recipients are counted when a message is sent, and when it is scheduled. */
export type CountedAs = 'send' | 'schedule';

/** Counts the recipients, and refuses a message that goes over the hourly limit of its sender. */
export async function checkRecipientRate(
  ctx: Ctx,
  user: User,
  recipients: number,
  kind: CountedAs = 'send',
): Promise<void> {
  const answer = await consumeRecipients(ctx, user, recipients, kind);
  if (!answer.allowed) {
    throw tooMany(answer.retryAfterSeconds, 'You have written to too many people. Please try again later.');
  }
}

/** Counts recipients, and says whether they are within the limit of an hour. */
export async function consumeRecipients(
  ctx: Ctx,
  user: Pick<User, 'id'>,
  recipients: number,
  kind: CountedAs,
): Promise<RateAnswer> {
  return await consumeWithin(ctx, `${kind}:${user.id}`, limitOf(ctx), recipients);
}

/** A message that the host takes must fit into an empty hour, or it could never be sent. */
function limitOf({ app }: Ctx): RateLimit {
  return { limit: Math.max(recipientsPerHour, app.config.maxRecipients), windowSeconds: hourMs / 1000 };
}

/** Uncounts the recipients of a message that was certainly not taken. */
export async function giveBackRecipients(
  ctx: Ctx,
  user: Pick<User, 'id'>,
  recipients: number,
  kind: CountedAs,
): Promise<void> {
  await consume(ctx.app.redis, `${kind}:${user.id}`, limitOf(ctx), -recipients);
}

/**
 * Uncounts the recipients of a message that its sender took back, so that it can be corrected and
 * sent again. The hour that counted an older message is over. A sender can't go on like this for
 * ever, since each sending leaves a row in the ledger for each recipient.
 */
export async function giveBackUndone(
  ctx: Ctx,
  user: Pick<User, 'id'>,
  undone: { recipients: number; kind: CountedAs; countedAt: Date },
): Promise<void> {
  const { recipients, kind, countedAt } = undone;
  if (Date.now() - countedAt.getTime() >= hourMs) return;
  const { limit, windowSeconds } = limitOf(ctx);
  const most = { limit: limit * mostUndoneHours, windowSeconds };
  if ((await consume(ctx.app.redis, `undo:${user.id}`, most, recipients)).allowed)
    await giveBackRecipients(ctx, user, recipients, kind);
}
