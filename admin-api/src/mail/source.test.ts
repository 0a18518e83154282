import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { systemContext } from '@selvage/core/context/context';
import type { EmailDto } from '@selvage/core/contracts/email';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Message } from '@selvage/core/models/message';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

const trace = 'Return-Path: <a@remote.test>\r\nAuthentication-Results: host.test;\r\n dmarc=fail\r\n';
const rest = 'From: a@remote.test\r\nSubject: in/voice "1"\r\n\r\nAuthentication-Results: host.test; in the text\r\n';
let server: TestServer;
let person: Mailbox;

beforeAll(async () => {
  server = await startTestServer();
  person = await buildMailbox(server.app);
});

async function receive(raw: Buffer): Promise<{ item: EmailDto; mailId: string }> {
  const mailId = createHash('sha256').update(raw).digest('hex').slice(0, 20);
  const { user, company } = person;
  const { entryIds } = await storeInbound(systemContext(server.app), {
    raw,
    envelopeFrom: 'a@remote.test',
    recipients: [{ userId: String(user.id), companyId: String(company.id), address: user.email }],
    client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
    authentication: null,
    traceHeaders: trace,
    mailId,
  });
  const { token } = await server.signIn(user.email, person.password);
  return { item: (await server.call('GET', `/mail/get/${entryIds[0]}`, { token })).body.data as EmailDto, mailId };
}

describe('the file of a whole message', () => {
  it('has the trace headers and all bytes but the results that the sender claims for this host', async () => {
    const forged = 'AUTHENTICATION-Results : (x) Host.Test 1;\r\n\tdkim=pass header.d=bank.test\r\n';
    const other = 'Authentication-Results: other.test; spf=pass\r\n';
    const raw = Buffer.from(`${forged}${other}${rest}`);
    const { item, mailId } = await receive(raw);
    const answer = await fetch(server.url + item.source_path);
    expect(answer.headers.get('content-disposition')).toContain('filename="in-voice _1_.eml"');
    expect(answer.headers.get('content-type')).toBe('application/octet-stream');
    expect(await answer.text()).toBe(`${trace}${other}${rest}`);
    const message = await Message.findOne({ where: { mailId }, rejectOnEmpty: true });
    expect((await buffer(server.app.blobs.get(message.blobKey))).equals(raw)).toBe(true);
  });

  it('is whole for a large message, a header without a body, and a large header', async () => {
    const many = 'X-Odd: y\r\n'.repeat(20_000);
    for (const raw of [`${rest}${'x'.repeat(990)}\r\n`.repeat(300), 'From: a@remote.test\r\n', `${many}${rest}`]) {
      const { item } = await receive(Buffer.from(raw));
      expect(await (await fetch(server.url + item.source_path)).text()).toBe(`${trace}${raw}`);
    }
  });

  it('is not given for the path of another thing, or to another person', async () => {
    const { item } = await receive(Buffer.from(`X: own\r\n${rest}`));
    const tokenText = item.frame_path.split('/')[3] ?? '';
    expect((await fetch(`${server.url}/upload/source/${tokenText}`)).status).toBe(404);
    const [user = '', ...others] = (item.source_path.split('/')[3] ?? '').split('.');
    const changed = [String(Number(user) + 1), ...others].join('.');
    expect((await fetch(`${server.url}/upload/source/${changed}`)).status).toBe(404);
  });
});
