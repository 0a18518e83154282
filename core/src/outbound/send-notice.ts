import { canHaveAddresses } from '../directory/domain-proof.ts';
import { deliverMessage } from '../jobs/deliver-message.ts';
import { composeMessage } from '../mail/compose-message.ts';
import { newMailId } from '../mail/mail-id.ts';
import { insertMessage } from '../mailstore/message-rows.ts';
import { putBlob } from '../mailstore/put-blob.ts';
import { storeInbound } from '../mailstore/store-message.ts';
import { Company } from '../models/company.ts';
import { Domain } from '../models/domain.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { addLedgerRows } from '../ledger/add-ledger-rows.ts';

/** A message of the host itself to one address. */
export interface Notice {
  /** The company that the notice belongs to in the ledger. */
  companyId: string;
  to: string;
  subject: string;
  /** Plain text, lines end with LF. */
  text: string;
  /**
   * Message-IDs of the conversation that the notice belongs to; the last one is the message that
   * the notice is about.
   */
  references?: string[];
  /** The notice waits until the operator of a restored host releases outgoing mail. */
  isHeldBack?: boolean;
}

/**
 * Sends a message of the host, marked so that programs don't answer it (RFC 3834). Like all mail it
 * is queued with a row in the ledger, and signed by the provider's domain. In the caller's
 * transaction it is sent if, and only if, that transaction commits. Its sender has no copy, and it
 * may hold a link. So its bytes are removed when its delivery has ended (`settleDeliveries`),
 * unless a mailbox of this host has it.
 */
export async function sendNotice(ctx: Ctx, notice: Notice): Promise<void> {
  const mailId = newMailId();
  const raw = await compose(ctx, notice, mailId);
  const [parsed, blob] = [await ctx.app.content.summarise(raw, 'host'), await putBlob(ctx, raw)];
  await inTransaction(ctx, async (tx) => {
    const message = await insertMessage(tx, { parsed, blob, raw, mailId, envelopeFrom: '', ledgerRows: 1 });
    const { messageIdHeader } = parsed;
    await queue(tx, notice, { messageId: String(message.id), mailId, messageIdHeader });
  });
}

/**
 * Puts a message of the host into a mailbox at once, even into a disabled one: its owner finds the
 * message when the mailbox is enabled again, however late that is (D7).
 */
export async function storeNotice(ctx: TxCtx, userId: string, notice: Omit<Notice, 'isHeldBack'>): Promise<void> {
  const mailId = newMailId();
  await storeInbound(ctx, {
    raw: await compose(ctx, notice, mailId),
    envelopeFrom: '',
    recipients: [{ userId, companyId: notice.companyId, address: notice.to }],
    client: { address: '', helo: ctx.app.config.hostname, tls: false },
    authentication: null,
    traceHeaders: 'Return-Path: <>\r\n',
    mailId,
    isOwn: true,
  });
}

interface Ids {
  messageId: string;
  mailId: string;
  messageIdHeader: string | null;
}

async function queue(ctx: TxCtx, { companyId, to, isHeldBack = false }: Notice, ids: Ids): Promise<void> {
  await addLedgerRows(ctx, [
    {
      companyId,
      ...ids,
      direction: 'out',
      recipient: to,
      envelopeFrom: '',
      state: 'queued',
      reason: 'accepted',
      nextAttemptAt: isHeldBack ? null : new Date(),
    },
  ]);
  ctx.tx.afterCommit(() => ctx.app.relay.wake(deliverMessage));
}

async function compose(
  ctx: Ctx,
  { to, subject, text, references = [] }: Omit<Notice, 'isHeldBack'>,
  mailId: string,
): Promise<Buffer> {
  const raw = await composeMessage({
    from: { name: ctx.app.config.hostname, address: await senderAddress(ctx) },
    to: [{ name: '', address: to }],
    subject,
    text,
    messageId: `<${mailId}@${ctx.app.config.hostname}>`,
    date: new Date(),
    inReplyTo: references.at(-1) ?? null,
    references,
  });
  return Buffer.concat([Buffer.from('Auto-Submitted: auto-generated\r\n'), raw]);
}

/**
 * The sender is the postmaster of the provider's domain: that domain has a key to sign with, and
 * the administrator, who reads the postmaster's mail, should see an answer.
 */
export async function senderAddress(ctx: Ctx): Promise<string> {
  const provider = await Company.findOne({ where: { isProvider: true }, attributes: ['id'], transaction: ctx.tx });
  const domain =
    provider &&
    (await Domain.findOne({
      where: { companyId: provider.id, ...canHaveAddresses, activeStatus: true },
      attributes: ['domainName'],
      order: [['id', 'ASC']],
      transaction: ctx.tx,
    }));
  return `postmaster@${domain?.domainName ?? ctx.app.config.hostname}`;
}
