import { Delivery } from '@selvage/core/models/delivery';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

const from = 'foreign@remote.test';
const refusal = /^452 4\.2\.2 The mailbox is full/;
let host: TestHost;
let ana: Mailbox;
let client: ApiClient;

beforeAll(async () => {
  host = await startTestHost({ UNDO_MS: '0', RETRY_SCHEDULE: '1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,600' });
  ana = await buildMailbox(host.app, { user: { storageLimit: '6000' } });
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
});

/** Offers a message of some 4 KB on a connection of its own and returns the last reply. */
async function offer(to: string, subject: string): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const reply = await peer.deliver(
    from,
    to,
    plainMessage({ from, to, subject, body: `${'x'.repeat(98)}\r\n`.repeat(40) }),
  );
  peer.close();
  return reply;
}

async function deleteForGood(): Promise<void> {
  const ids = (await client.folder()).map(({ _id }) => _id);
  await client.data('PUT', '/mail/status_change', { email_id: ids, delete_status: true });
}

describe('a mailbox that is full', () => {
  it('takes mail from the world again as soon as its owner has made room', async () => {
    expect(await offer(ana.user.email, 'first')).toMatch(/^250 /);
    expect(await offer(ana.user.email, 'second')).toMatch(refusal);
    expect((await client.folder()).map(({ subject }) => subject)).toEqual(['first']);
    await deleteForGood();
    expect(await offer(ana.user.email, 'second')).toMatch(/^250 /);
    expect((await client.folder()).map(({ subject }) => subject)).toEqual(['second']);
  });

  it('gets mail of a colleague, which waits meanwhile, without a further hand', async () => {
    const { company, domain, roles } = ana;
    const ben = await buildMailbox(host.app, { tenant: { company, domain, roles } });
    const theirs = new ApiClient(host);
    await theirs.signIn(ben.user.email, ben.password);
    const form = new FormData();
    const fields = {
      'recipient_emails_to[]': ana.user.email,
      subject: 'from Ben',
      body: `<p>${'word '.repeat(300)}</p>`,
    };
    for (const [name, value] of Object.entries(fields)) form.append(name, value);
    await theirs.data('POST', '/mail/send', form);
    const where = { recipient: ana.user.email, direction: 'out' as const };
    const row = await until('the delivery waits', () =>
      Delivery.findOne({ where: { ...where, reason: 'mailbox_full' } }),
    );
    expect(row).toMatchObject({ state: 'queued', lastReply: 'host.test: 452 4.2.2 The mailbox is full' });
    await deleteForGood();
    await until(
      () => `the delivery is stored, and not ${JSON.stringify(row)}`,
      async () => (await row.reload()).state === 'stored',
    );
    expect((await client.folder()).map(({ subject }) => subject)).toEqual(['from Ben']);
  });
});
