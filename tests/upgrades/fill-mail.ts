import type { App } from '@selvage/core/context/app';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import { RefusalLedger } from '@selvage/core/ledger/refusal-ledger';
import { newMailId } from '@selvage/core/mail/mail-id';
import { changeStatus, type StatusChange } from '@selvage/core/mailstore/change-status';
import type { StoreInput } from '@selvage/core/mailstore/store-batch';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import type { User } from '@selvage/core/models/user';
import type { People } from './fill-people.ts';
import { forgedSample, latinSample, multipartSample, plainSample } from './sample-messages.ts';

const authentication: StoreInput['authentication'] = {
  spf: { result: 'pass', domain: 'remote.test' },
  dkim: [{ result: 'pass', domain: 'remote.test', selector: 'default' }],
  dmarc: { result: 'pass', policy: 'reject', domain: 'remote.test' },
  arc: null,
  header: 'Authentication-Results: host.test; spf=pass; dkim=pass; dmarc=pass\r\n',
  temporaryFailure: false,
};

/** Mail that came in: every form, every flag, a repeat, and what was refused. */
export async function fillMail(app: App, { ana, bob, carl, dora }: People): Promise<void> {
  const ctx = systemContext(app);
  await receive(ctx, plainSample('Not read yet', 'unread'), [ana]);
  const repeated = plainSample('Read', 'read');
  await flag(ctx, ana, await receive(ctx, repeated, [ana]), { readStatus: true });
  await receive(ctx, repeated, [ana]);
  await flag(ctx, ana, await receive(ctx, multipartSample(), [ana, bob]), { readStatus: true, starStatus: true });
  await flag(ctx, ana, await receive(ctx, latinSample(), [ana]), { archiveStatus: true, starStatus: true });
  const unwanted = await receive(ctx, plainSample('In the trash', 'trash'), [ana, dora]);
  await flag(ctx, ana, unwanted, { readStatus: true, starStatus: true, trashStatus: true });
  const gone = await receive(ctx, plainSample('Deleted', 'deleted'), [ana]);
  await flag(ctx, ana, gone, { trashStatus: true });
  await flag(ctx, ana, gone, { deleteStatus: true });
  await receive(ctx, forgedSample(), [dora]);
  await receive(ctx, plainSample('For Carl, who leaves', 'leaver'), [carl]);
  await carl.update({ activeStatus: false, deletedAt: new Date() });
  await refuse(app, bob);
}

/** Hands a message over as the inbound door does; answers the ids of the entries. */
export async function receive(ctx: Ctx, raw: Buffer, people: readonly User[]): Promise<string[]> {
  const mailId = newMailId();
  const { entryIds } = await storeInbound(ctx, {
    raw,
    envelopeFrom: 'rita@remote.test',
    recipients: people.map(({ id, companyId, email }) => ({
      userId: String(id),
      companyId: String(companyId),
      address: email,
    })),
    client: { address: '192.0.2.1', helo: 'mx.remote.test', tls: true },
    authentication,
    traceHeaders: `Return-Path: <rita@remote.test>\r\nReceived: from mx.remote.test by host.test id ${mailId};\r\n\tMon, 02 Nov 2026 10:00:01 +0000\r\n`,
    mailId,
  });
  return entryIds;
}

/** Sets flags on the entry that one person has among those of a message. */
async function flag(ctx: Ctx, { id }: User, [entryId = '']: string[], flags: StatusChange): Promise<void> {
  await changeStatus(ctx, { userId: String(id), entryIds: [entryId], flags });
}

/**
 * Recipients that are not there, a sender that may not send, and a flood that is counted in a row.
 */
async function refuse(app: App, bob: User): Promise<void> {
  const ledger = new RefusalLedger(() => ({ app }));
  const base = { mailId: newMailId(), envelopeFrom: 'spam@bad.test', remoteHost: '198.51.100.4', source: 'bad' };
  for (let n = 0; n < 40; n++) {
    const recipient = `nobody${n}@acme.test`;
    const lastReply = '550 5.1.1 There is no such mailbox';
    ledger.note({ ...base, companyId: null, direction: 'in', recipient, reason: 'unknown_recipient', lastReply });
  }
  ledger.note({
    ...base,
    companyId: String(bob.companyId),
    direction: 'out',
    recipient: 'rita@remote.test',
    envelopeFrom: 'boss@acme.test',
    reason: 'not_allowed_to_send_as',
    lastReply: '550 5.7.1 You can send from your own address only',
    source: bob.email,
  });
  await ledger.flush();
}
