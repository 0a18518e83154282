import { Op } from 'sequelize';
import type { ImageSenderDto } from '@selvage/core/contracts/image-senders';
import type { Ctx } from '@selvage/core/context/context';
import { invalid, notFound } from '@selvage/core/errors';
import type { AuthenticationResults } from '@selvage/core/mail/authenticate-message';
import { findEntry } from '@selvage/core/mailstore/find-entry';
import { ImageSender } from '@selvage/core/models/image-sender';
import type { Message } from '@selvage/core/models/message';
import type { SignedIn } from '../http/request-context.ts';

/** For one person. When there are more, the oldest choice is deleted. */
const mostSenders = 1000;

/**
 * The sender for whom a person may choose to see pictures. Null unless DMARC passed, since any
 * stranger can write any other address into From (D42).
 */
export function provenSender(message: Pick<Message, 'authentication' | 'fromAddress'>): string | null {
  const results = message.authentication as AuthenticationResults | null;
  return results?.dmarc.result === 'pass' && message.fromAddress !== '' ? message.fromAddress.toLowerCase() : null;
}

/** Which of the messages come from a sender whose pictures the person always sees. */
export async function findTrustedSenders(
  ctx: Ctx,
  userId: string,
  messages: readonly Message[],
): Promise<ReadonlySet<string>> {
  const address = [...new Set(messages.flatMap((message) => provenSender(message) ?? []))];
  if (address.length === 0) return new Set();
  const rows = await ImageSender.findAll({ where: { userId, address: { [Op.in]: address } }, transaction: ctx.tx });
  return new Set(rows.map((row) => row.address));
}

/** The choices of the caller by address. */
export async function listImageSenders(ctx: SignedIn): Promise<ImageSenderDto[]> {
  const rows = await ImageSender.findAll({ where: { userId: ctx.actor.userId }, order: [['address', 'ASC']] });
  return rows.map(({ id, address, createdAt }) => ({ _id: String(id), address, createdAt: createdAt.toISOString() }));
}

/**
 * Stores that the caller always wants to see pictures from the sender of this message.
 * @throws 404, 422 when it is not proved who sent the message
 */
export async function addImageSender(ctx: SignedIn, entryId: string): Promise<void> {
  const { userId } = ctx.actor;
  const { entry, message } = await findEntry(ctx, { userId, entryId });
  const address = provenSender(message);
  if (address === null) throw invalid({ email_id: 'It could not be verified that this message is from its sender.' });
  const { companyId } = entry;
  await ImageSender.bulkCreate([{ companyId, userId, address }], { ignoreDuplicates: true });
  const beyond = await ImageSender.findAll({
    attributes: ['id'],
    where: { userId },
    order: [['id', 'DESC']],
    offset: mostSenders,
    limit: 10,
  });
  if (beyond.length > 0) await ImageSender.destroy({ where: { id: beyond.map(({ id }) => id) } });
}

/** @throws 404 */
export async function removeImageSender(ctx: SignedIn, id: string): Promise<void> {
  const removed = await ImageSender.destroy({ where: { id, userId: ctx.actor.userId } });
  if (removed === 0) throw notFound('sender');
}
