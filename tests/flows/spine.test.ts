import { DkimKey } from '@selvage/core/models/dkim-key';
import { createTransport } from 'nodemailer';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';
import { withLongUndo } from '../support/long-undo.ts';
import { prepareSigning, verifySignatures } from '../support/signing.ts';

let host: TestHost;
let ana: Mailbox;
let client: ApiClient;

beforeAll(async () => {
  host = await startTestHost();
  ana = await buildMailbox(host.app);
  await prepareSigning(host, ana);
  client = new ApiClient(host);
  expect(await client.signIn(ana.user.email, ana.password)).toMatchObject({ success: true });
});

async function receive(subject: string, from = 'foreign@remote.test'): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const reply = await peer.deliver(from, ana.user.email, plainMessage({ from, to: ana.user.email, subject }));
  peer.close();
  expect(reply).toMatch(/^250 /);
  return (await client.awaitMessage(subject))._id;
}

function form(fields: Record<string, string | string[]>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value)) for (const one of value) data.append(`${name}[]`, one);
    else data.append(name, value);
  }
  return data;
}

describe('the spine', () => {
  it('takes a message from a foreign client, shows it, and sends the signed answer to a foreign server', async () => {
    const id = await receive('A question');
    const email = await client.email(id);
    expect(email).toMatchObject({ subject: 'A question', sender_email: 'foreign@remote.test', received_status: true });

    const sent = await client.data<{ _id: string }>(
      'POST',
      '/mail/replyOrForward',
      form({
        originalEmailId: id,
        is_reply: 'true',
        recipient_emails_to: ['foreign@remote.test'],
        subject: 'Re: A question',
        body: '<p>The <b>answer</b>.</p>',
      }),
    );
    const arrived = await until('the answer arrives', () =>
      host.remote.received.find((message) => message.raw.includes('Subject: Re: A question')),
    );
    expect(arrived.from).toBe(ana.user.email);
    expect(arrived.secure).toBe(true);
    const text = arrived.raw.toString('latin1');
    expect(text).toMatch(/^In-Reply-To: /im);
    expect(text).toMatch(/^References: /im);

    expect(await verifySignatures(host, arrived.raw)).toEqual([{ result: 'pass', domain: ana.domain.domainName }]);

    const ledger = await until('the ledger says relayed', async () => {
      const { deliveries } = await client.email(sent._id);
      return deliveries[0]?.state === 'relayed' && deliveries;
    });
    expect(ledger).toMatchObject([{ recipient: 'foreign@remote.test', state: 'relayed' }]);
    expect(ledger[0]?.last_reply).toContain('kept');
    expect(ledger[0]?.tls).toEqual({ state: 'encrypted', by: null, protocol: 'TLSv1.3' });
    expect(await DkimKey.count({ where: { domainId: String(ana.domain.id) } })).toBe(1);
  });

  it('never shows a blind recipient to another recipient', async () => {
    const bob = await buildMailbox(host.app, { tenant: ana });
    await client.data(
      'POST',
      '/mail/send',
      form({
        recipient_emails_to: [bob.user.email],
        recipient_emails_bcc: ['secret@remote.test'],
        subject: 'With a blind copy',
        body: '<p>Hi</p>',
      }),
    );
    const blind = await until('the blind copy arrives', () =>
      host.remote.received.find((message) => message.to.includes('secret@remote.test')),
    );
    // By chance, a signature in base64 may have the letters of the field within it
    expect(blind.raw.toString('latin1')).not.toMatch(/^bcc\s*:|secret@/im);
    const reader = new ApiClient(host);
    await reader.signIn(bob.user.email, bob.password);
    const row = await reader.awaitMessage('With a blind copy');
    expect((await reader.email(row._id)).recipient_emails_bcc).toEqual([]);
    const own = await client.awaitMessage('With a blind copy', 'send_status');
    expect((await client.email(own._id)).recipient_emails_bcc).toEqual(['secret@remote.test']);
  });

  it('undoes a message within the time of undo and opens it as a draft', async () => {
    const fields = { recipient_emails_to: ['undo@remote.test'], subject: 'Too early', body: '<p>Wait</p>' };
    const { _id } = await withLongUndo(ana.user, () =>
      client.data<{ _id: string }>('POST', '/mail/send', form(fields)),
    );
    const { draft_id } = await client.data<{ draft_id: string }>('POST', `/mail/undo_send/${_id}`);
    expect(await client.data('GET', `/mail/draft/get/${draft_id}`)).toMatchObject({
      subject: 'Too early',
      recipient_emails_to: ['undo@remote.test'],
    });
    expect((await client.call('POST', `/mail/undo_send/${_id}`)).status).toBeGreaterThanOrEqual(400);
    expect((await client.folder('send_status')).some((row) => row.subject === 'Too early')).toBe(false);
  });

  it('reports a refusal by the remote server to the sender, in the words of that server', async () => {
    await client.data(
      'POST',
      '/mail/send',
      form({
        recipient_emails_to: ['nobody@nowhere.test'],
        subject: 'To a domain that is not there',
        body: '<p>x</p>',
      }),
    );
    const report = await client.awaitMessage(/undeliver|could not|failed|not delivered/i);
    const email = await client.email(report._id);
    expect(email.body).toContain('nobody@nowhere.test');
    const sent = await client.awaitMessage('To a domain that is not there', 'send_status');
    expect((await client.email(sent._id)).deliveries).toMatchObject([{ state: 'bounced' }]);
  });

  it('takes mail from a mail program on the submission port', async () => {
    const transport = createTransport({
      host: '127.0.0.1',
      port: host.ports.submission,
      requireTLS: true,
      tls: { rejectUnauthorized: false },
      auth: { user: ana.user.email, pass: ana.password },
    });
    await transport.sendMail({
      from: ana.user.email,
      to: 'program@remote.test',
      subject: 'From a program',
      text: 'hi',
    });
    const arrived = await until('the submitted message arrives', () =>
      host.remote.received.find((message) => message.to.includes('program@remote.test')),
    );
    expect(await verifySignatures(host, arrived.raw)).toEqual([{ result: 'pass', domain: ana.domain.domainName }]);
    await expect(
      transport.sendMail({ from: 'somebody@else.test', to: 'x@remote.test', subject: 'Forged', text: 'hi' }),
    ).rejects.toThrow(/553/);
    transport.close();
  });
});
