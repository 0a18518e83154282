import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import type { AttemptResult } from '@selvage/core/outbound/record-attempt';
import { recordAttempts } from '@selvage/core/outbound/record-attempt';
import { deliverLocally } from '@selvage/core/outbound/deliver-locally';
import { sendOnce } from '@selvage/core/outbound/send-once';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import type { Submitted } from '@selvage/core/outbound/submission';
import { undoSend } from '@selvage/core/outbound/undo-send';
import { composeMessage } from '@selvage/core/mail/compose-message';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { Delivery } from '@selvage/core/models/delivery';
import { Message } from '@selvage/core/models/message';
import type { User } from '@selvage/core/models/user';
import { claimOne } from '../support/claim-one.ts';
import { receive } from './fill-mail.ts';
import type { People } from './fill-people.ts';
import { plainSample } from './sample-messages.ts';

/** Longer than any dump is kept, so that what waits is never overdue. */
export const waitingSeconds = 3_000_000_000;

const remote = { remoteHost: 'mx.remote.test' };
const results: Record<'relayed' | 'refused' | 'deferred', AttemptResult> = {
  relayed: { kind: 'relayed', reason: 'remote_accepted', lastReply: 'mx.remote.test: 250 2.0.0 taken', ...remote },
  refused: { kind: 'refused', reason: 'remote_refused', lastReply: 'mx.remote.test: 550 5.1.1 unknown', ...remote },
  deferred: { kind: 'deferred', reason: 'remote_deferred', lastReply: 'mx.remote.test: 451 4.3.0 later', ...remote },
};

/** Mail that was sent, with each fate of the ledger, a conversation, and drafts. */
export async function fillOutgoing(app: App, people: People): Promise<void> {
  const ctx = systemContext(app);
  const { ana, bob, dora } = people;
  await sendToAll(ctx, ana, dora);
  await converse(ctx, people);
  await undo(ctx, ana);
  await submit(ctx, bob, { subject: 'Held for a moment', holdMs: waitingSeconds * 1000 });
  const { entryId } = await submit(ctx, bob, { subject: 'Deleted by its sender' });
  await attemptAll(ctx, entryId, () => 'relayed');
  await changeStatus(ctx, { userId: String(bob.id), entryIds: [entryId], flags: { deleteStatus: true } });
}

interface Letter {
  subject: string;
  to?: string[];
  bcc?: string[];
  holdMs?: number;
  inReplyTo?: string;
  withFile?: boolean;
  alongside?: Parameters<typeof submitMessage>[1]['alongside'];
}

async function submit(ctx: Ctx, user: User, letter: Letter): Promise<Submitted> {
  const { subject, to = ['rita@remote.test'], bcc = [], inReplyTo, holdMs = 0, alongside } = letter;
  const file = { filename: 'note.txt', contentType: 'text/plain', content: Buffer.from(`About ${subject}.\n`) };
  const raw = await composeMessage({
    from: { name: `${user.fname} ${user.lname}`, address: user.email },
    to: to.map((address) => ({ name: '', address })),
    subject,
    html: `<p>Dear reader, <b>${subject}</b>.</p>`,
    attachments: letter.withFile ? [file] : [],
    messageId: `<${subject.toLowerCase().replaceAll(' ', '-')}@host.test>`,
    date: new Date('2026-11-03T08:00:00Z'),
    ...(inReplyTo ? { inReplyTo, references: [inReplyTo] } : {}),
  });
  return await submitMessage(ctx, { user, raw, door: 'web', bcc, holdMs, ...(alongside ? { alongside } : {}) });
}

/** One message that is relayed, bounced, put off and stored, each for another recipient. */
async function sendToAll(ctx: Ctx, ana: User, dora: User): Promise<void> {
  const to = ['relayed@remote.test', 'refused@remote.test', 'deferred@remote.test', dora.email];
  const letter = { subject: 'Four fates', to, bcc: ['hidden@remote.test'], withFile: true };
  const { entryId, messageId } = await submit(ctx, ana, letter);
  await attemptAll(ctx, entryId, (recipient) => {
    if (recipient === dora.email) return null;
    return recipient.startsWith('refused') ? 'refused' : recipient.startsWith('deferred') ? 'deferred' : 'relayed';
  });
  const row = await Delivery.findOne({ where: { entryId, recipient: dora.email }, rejectOnEmpty: true });
  const message = await Message.findByPk(messageId, { rejectOnEmpty: true });
  const delivery = await claim(ctx, String(row.id));
  const recipient = { userId: String(dora.id), companyId: String(dora.companyId), address: dora.email };
  await deliverLocally(ctx, { ...message.get(), id: String(message.id), key: null }, [
    { delivery, recipients: [recipient] },
  ]);
}

async function attemptAll(
  ctx: Ctx,
  entryId: string,
  fateOf: (recipient: string) => keyof typeof results | null,
): Promise<void> {
  for (const { id, recipient } of await Delivery.findAll({ where: { entryId }, order: [['id', 'ASC']] })) {
    const fate = fateOf(recipient);
    if (fate === null) continue;
    await recordAttempts(ctx, [{ delivery: await claim(ctx, String(id)), result: results[fate] }]);
  }
}

async function claim(ctx: Ctx, id: string) {
  const delivery = await claimOne(ctx, id);
  if (!delivery) throw new Error('a delivery was not due');
  return delivery;
}

/** A question, an answer to it, and the thanks for the answer. */
async function converse(ctx: Ctx, { ana }: People): Promise<void> {
  await receive(ctx, plainSample('A question', 'question'), [ana]);
  const root = '<question@remote.test>';
  const { entryId } = await submit(ctx, ana, { subject: 'Re: A question', inReplyTo: root, withFile: true });
  await attemptAll(ctx, entryId, () => 'relayed');
  await receive(ctx, plainSample('Re: A question', 'thanks', [`References: ${root}`]), [ana]);
}

/** Two messages that were sent under keys and taken back: drafts, one of them with a file. */
async function undo(ctx: Ctx, user: User): Promise<void> {
  const userId = String(user.id);
  for (const withFile of [true, false]) {
    const subject = withFile ? 'Second thoughts with a file' : 'Second thoughts';
    const keyed = { userId, companyId: String(user.companyId), key: `kept-${withFile}`, fingerprint: 'kept' };
    const { entryId } = await sendOnce(ctx, keyed, async (settle) => {
      const undoUntil = new Date(Date.now() + 600_000);
      const told = { undoUntil, holdMs: 600_000, isScheduled: false };
      const alongside = (tx: Parameters<typeof settle>[0], sent: Submitted) =>
        settle(tx, { ...told, entryId: sent.entryId, undoUntil: sent.undoUntil ?? undoUntil });
      const sent = await submit(ctx, user, {
        subject,
        bcc: ['hidden@remote.test'],
        withFile,
        holdMs: 600_000,
        alongside,
      });
      return { ...told, entryId: sent.entryId };
    });
    await undoSend(ctx, { userId, entryId });
  }
}
