import { randomBytes } from 'node:crypto';
import { proofOf } from '@selvage/core/directory/domain-proof';
import { systemContext } from '@selvage/core/context/context';
import { Delivery } from '@selvage/core/models/delivery';
import { Domain } from '@selvage/core/models/domain';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { prepareSigning } from '../support/signing.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';
import { until } from '../support/until.ts';

let host: TestHost;
/** A sender, and the administrator of a company that adds another company's domain. */
let ana: Mailbox;
let thief: Mailbox;

beforeAll(async () => {
  host = await startTestHost();
  ana = await buildMailbox(host.app);
  thief = await buildMailbox(host.app, { roleNumber: 1 });
  await prepareSigning(host, ana);
});

async function typed(domainName: string): Promise<Domain> {
  return await Domain.create({ companyId: String(thief.company.id), domainName });
}

async function rcpt(address: string): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const reply = await peer.deliver(
    'foreign@remote.test',
    [address],
    plainMessage({ from: 'f@remote.test', to: address, subject: 's' }),
  );
  peer.close();
  return reply;
}

async function endOfMail(to: string) {
  const raw = Buffer.from(plainMessage({ from: ana.user.email, to, subject: 'to its owner' }));
  const { mailId } = await submitMessage(systemContext(host.app), { user: ana.user, raw, door: 'web', bcc: [] });
  const row = () => Delivery.findOne({ where: { mailId, direction: 'out' }, rejectOnEmpty: true });
  await until('the end of the delivery', async () => (await row()).state !== 'queued');
  return (await row()).state;
}

describe('a domain that a company has only typed', () => {
  it('takes no mail from outside, and mail of others goes on to its owner', async () => {
    await typed('remote.test');
    expect(await rcpt('someone@remote.test')).toMatch(/^450 4\.7\.1 /);
    expect(await endOfMail('someone@remote.test')).toBe('relayed');
    expect(host.remote.received.flatMap(({ to }) => to)).toContain('someone@remote.test');
  });

  it('is the company’s within seconds of its DNS proving it, and then takes mail', async () => {
    const domain = await typed(`${randomBytes(6).toString('hex')}.test`);
    const address = `postmaster@${domain.domainName}`;
    expect(await rcpt(address)).toMatch(/^450 4\.7\.1 /);
    const { name, content } = proofOf(host.app, domain);
    host.dns.addRecords(name, { TXT: [content] });
    await domain.update({ proofAskedAt: null });
    await until('the proof to be found', async () => Boolean((await domain.reload()).verifiedAt));
    expect(await rcpt(address)).toMatch(/^250 /);
    expect(await endOfMail(address)).toBe('stored');
  });
});
