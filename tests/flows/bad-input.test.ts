import { Company } from '@selvage/core/models/company';
import { Domain } from '@selvage/core/models/domain';
import { beforeAll, describe, expect, it } from 'vitest';
import { ApiClient } from '../support/api-client.ts';
import { buildMailbox, type Mailbox } from '../support/factories.ts';
import { plainMessage, SmtpPeer } from '../support/smtp-peer.ts';
import { startTestHost, type TestHost } from '../support/test-host.ts';

let host: TestHost;
let ana: Mailbox;
let client: ApiClient;

beforeAll(async () => {
  host = await startTestHost();
  ana = await buildMailbox(host.app);
  client = new ApiClient(host);
  await client.signIn(ana.user.email, ana.password);
});

const from = 'foreign@remote.test';

/** Offers one message on a connection of its own and returns the last reply. */
async function offer(to: string | string[], message: string | Buffer): Promise<string> {
  const peer = await SmtpPeer.open(host.ports.smtp);
  const reply = await peer.deliver(from, to, message);
  peer.close();
  return reply;
}

const subjects = async () => (await client.folder()).map((row) => row.subject);

describe('what foreign servers send wrong', () => {
  it('refuses an unknown recipient with 550 5.1.1 and takes the known one', async () => {
    const unknown = `nobody@${ana.domain.domainName}`;
    expect(await offer(unknown, '')).toMatch(/^550.*5\.1\.1/);
  });

  it('refuses to relay for a domain that is not its own', async () => {
    expect(await offer('somebody@elsewhere.test', '')).toMatch(/^550.*5\.7\.1/);
  });

  it.each(['user', 'company', 'domain'])('defers mail for an inactive %s with 450 4.2.1', async (what) => {
    const mailbox = await buildMailbox(host.app);
    if (what === 'user') await mailbox.user.update({ activeStatus: false });
    if (what === 'company')
      await Company.update({ activeStatus: false }, { where: { id: String(mailbox.company.id) } });
    if (what === 'domain') await Domain.update({ activeStatus: false }, { where: { id: String(mailbox.domain.id) } });
    expect(await offer(mailbox.user.email, '')).toMatch(/^450.*4\.2\.1/);
  });

  it('refuses mail for a deleted mailbox with 550 5.1.1', async () => {
    const mailbox = await buildMailbox(host.app, { user: { deletedAt: new Date() } });
    expect(await offer(mailbox.user.email, '')).toMatch(/^550.*5\.1\.1/);
  });

  it('refuses a message whose announced size is over the limit', async () => {
    const peer = await SmtpPeer.open(host.ports.smtp);
    const reply = await peer.command(`MAIL FROM:<${from}> SIZE=${host.app.config.maxMessageBytes + 1}`);
    peer.close();
    expect(reply).toMatch(/^55[02]/);
  });

  it.each([
    ['a bare line feed', 'one\ntwo'],
    ['a bare carriage return', 'one\rtwo'],
    ['a smuggled end of data by line feeds', 'x\n.\nMAIL FROM:<a@b.test>'],
    ['a smuggled end of data, half and half', 'x\n.\r\nMAIL FROM:<a@b.test>'],
    ['a smuggled end of data by carriage returns', 'x\r.\r\r\nMAIL FROM:<a@b.test>'],
  ])('refuses a message with %s', async (name, body) => {
    const subject = `odd ends: ${name}`;
    const reply = await offer(ana.user.email, plainMessage({ from, to: ana.user.email, subject, body }));
    expect(reply).toMatch(/^[45]|^$/);
    expect(await subjects()).not.toContain(subject);
  });

  it('refuses 1,001 parts and 60 levels with a 5xx, and goes on', async () => {
    const parts = `${'--b\r\nContent-Type: text/plain\r\n\r\nx\r\n'.repeat(1001)}--b--`;
    const head = 'MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=b';
    const many = plainMessage({ from, to: ana.user.email, subject: 'many parts', headers: head, body: parts });
    expect(await offer(ana.user.email, many)).toMatch(/^55/);
    let deep = 'Content-Type: text/plain\r\n\r\nx';
    for (let level = 60; level > 0; level--) {
      deep = `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n${deep}\r\n--b${level}--`;
    }
    const nested = `${plainMessage({ from, to: ana.user.email, subject: 'deep' }).split('\r\n\r\n')[0]}\r\nMIME-Version: 1.0\r\n${deep}`;
    expect(await offer(ana.user.email, nested)).toMatch(/^55/);
    const fine = plainMessage({ from, to: ana.user.email, subject: 'after the odd ones' });
    expect(await offer(ana.user.email, fine)).toMatch(/^250/);
  });

  it('takes a message without Message-ID and Date', async () => {
    const message = `From: ${from}\r\nTo: ${ana.user.email}\r\nSubject: bare bones\r\n\r\nhi`;
    expect(await offer(ana.user.email, message)).toMatch(/^250/);
    await client.awaitMessage('bare bones');
  });

  it('answers 250 to the same message again and keeps it once', async () => {
    const message = plainMessage({ from, to: ana.user.email, subject: 'sent twice' });
    expect(await offer(ana.user.email, message)).toMatch(/^250/);
    expect(await offer(ana.user.email, message)).toMatch(/^250/);
    expect((await subjects()).filter((subject) => subject === 'sent twice')).toHaveLength(1);
  });

  it('refuses mail whose domain asks for it by DMARC', async () => {
    host.dns.addRecords('_dmarc.strict.test', { TXT: [['v=DMARC1; p=reject']] });
    host.dns.addRecords('strict.test', { TXT: [['v=spf1 -all']], A: ['127.0.0.9'] });
    const peer = await SmtpPeer.open(host.ports.smtp);
    const message = plainMessage({ from: 'ceo@strict.test', to: ana.user.email, subject: 'forged' });
    const reply = await peer.deliver('ceo@strict.test', ana.user.email, message);
    peer.close();
    expect(reply).toMatch(/^550.*5\.7\.1/);
  });
});

describe('what clients send wrong', () => {
  it.each([
    ['page 0', '/mail/get/sent/by_user?received_status=true&page=0', 422],
    ['a page that is no number', '/mail/get/sent/by_user?received_status=true&page=x', 422],
    ['an id that is none', '/mail/get/1%20OR%201=1', 422],
    ['an unknown id', '/mail/get/999999999', 404],
    ['an unknown path', '/no/such/path', 404],
  ])('answers %s with a clear status', async (_name, path, status) => {
    const answer = await client.call('GET', path);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject({ success: false });
  });

  it('answers page 10^9 with an empty page', async () => {
    const answer = await client.call<unknown[]>('GET', '/mail/get/sent/by_user?received_status=true&page=1000000000');
    expect(answer).toMatchObject({ status: 200, body: { data: [] } });
  });

  it("answers another company's message as if it were not there", async () => {
    const message = plainMessage({ from, to: ana.user.email, subject: 'private' });
    expect(await offer(ana.user.email, message)).toMatch(/^250/);
    const { _id } = await client.awaitMessage('private');
    const stranger = new ApiClient(host);
    const other = await buildMailbox(host.app);
    await stranger.signIn(other.user.email, other.password);
    expect((await stranger.call('GET', `/mail/get/${_id}`)).status).toBe(404);
    const change = await stranger.call('PUT', '/mail/status_change', { email_id: [_id], read_status: true });
    expect(change.status).toBe(404);
  });

  it('ends the session when a refresh token is used that was exchanged long ago', async () => {
    const thief = new ApiClient(host);
    await thief.signIn(ana.user.email, ana.password);
    const { refreshToken } = thief;
    const first = await thief.call('POST', '/user/refresh', { refreshToken });
    expect(first.status).toBe(200);
    const pair = first.body as unknown as { token: string; refreshToken: string };
    const second = await thief.call('POST', '/user/refresh', { refreshToken: pair.refreshToken });
    expect(second.status).toBe(200);
    expect((await thief.call('POST', '/user/refresh', { refreshToken })).status).toBe(401);
    thief.token = (second.body as unknown as { token: string }).token;
    expect((await thief.call('GET', '/user/info')).status).toBe(401);
  });

  it('refuses forged tokens', async () => {
    const forger = new ApiClient(host);
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    forger.token = `${part({ alg: 'none', typ: 'JWT' })}.${part({ sub: String(ana.user.id), sid: 'x', tv: 0, exp: 4e9 })}.`;
    expect((await forger.call('GET', '/user/info')).status).toBe(401);
    forger.token = `${client.token.slice(0, -4)}AAAA`;
    expect((await forger.call('GET', '/user/info')).status).toBe(401);
  });
});
