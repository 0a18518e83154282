import { reschedule } from '@selvage/core/outbound/reschedule';
import { systemContext } from '@selvage/core/context/context';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { prepareSigning } from '../support/signing.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
let ana: Mailbox;
let ben: Mailbox;
let client: ApiClient;

beforeAll(async () => {
  // No sweep comes in time: the worker itself knows when the next message is due
  host = await startTestHost({ SWEEP_SECONDS: '600' });
  ana = await buildMailbox(host.app);
  ben = await buildMailbox(host.app, { tenant: ana });
  await prepareSigning(host, ana);
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
});

async function schedule(subject: string): Promise<string> {
  const form = new FormData();
  for (const to of ['carl@remote.test', ben.user.email]) form.append('recipient_emails_to[]', to);
  form.append('subject', subject);
  form.append('body', '<p>x</p>');
  form.append('send_at', new Date(Date.now() + 3_600_000).toISOString());
  return (await client.data<{ _id: string }>('POST', '/mail/send', form))._id;
}

/** The shortest time that a person may choose is too long for a test. */
async function leaveSoon(entryId: string, ms: number): Promise<Date> {
  const sendAt = new Date(Math.floor(Date.now() / 1000) * 1000 + ms);
  await reschedule(systemContext(host.app), { userId: String(ana.user.id), entryId, sendAt });
  return sendAt;
}

const rawOf = (subject: string): string | undefined =>
  host.remote.received.map(({ raw }) => raw.toString()).find((raw) => raw.includes(`Subject: ${subject}\r\n`));
const inboxOfBen = () => MailboxEntry.count({ where: { userId: String(ben.user.id), folder: 'inbox' } });

describe('a scheduled message', () => {
  it('reaches people elsewhere and here at its time, with that time as its Date', async () => {
    const id = await schedule('Soon');
    const sendAt = await leaveSoon(id, 8000);
    expect(rawOf('Soon')).toBeUndefined();
    expect(await inboxOfBen()).toBe(0);
    const raw = await until('it arrives', () => rawOf('Soon'), 60_000);
    expect(Date.now()).toBeGreaterThanOrEqual(sendAt.getTime());
    expect(raw).toContain(`Date: ${sendAt.toUTCString().replace('GMT', '+0000')}\r\n`);
    expect(raw).toMatch(/^DKIM-Signature:/m);
    await until('it is in the inbox here', async () => (await inboxOfBen()) === 1, 60_000);
    expect(await MailboxEntry.findByPk(id)).toMatchObject({ folder: 'sent' });
  });

  it('leaves when its time came while no worker was there', async () => {
    const id = await schedule('Late');
    await host.end('workers', 'SIGKILL');
    const sendAt = await leaveSoon(id, 1000);
    await until('its time has come', () => Date.now() > sendAt.getTime(), 10_000);
    expect(await MailboxEntry.findByPk(id)).toMatchObject({ folder: 'scheduled' });
    await host.start('workers');
    await until('it arrives', () => rawOf('Late'), 60_000);
  });
});
