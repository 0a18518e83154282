import { openContentReader } from '@selvage/core/content/content-reader';
import { systemContext } from '@selvage/core/context/context';
import type { EmailDto } from '@selvage/core/contracts/email';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

/*
 * Messages that are stored, and yet take too much to read: what a message may cost can be set lower
 * later, and a message can be just within it when it arrives.
 */

const file =
  'Content-Type: application/pdf; name=a.pdf\r\nContent-Disposition: attachment\r\nContent-Transfer-Encoding: base64\r\n\r\neA==';
const ordinary = (subject: string) =>
  `From: a@remote.test\r\nSubject: ${subject}\r\nMessage-ID: <${subject}@remote.test>\r\nMIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=m\r\n\r\n--m\r\n\r\nhello\r\n--m\r\n${file}\r\n--m--\r\n`;
const levels = Array.from({ length: 60 }, (_, i) => `Content-Type: multipart/mixed; boundary=b${i}\r\n\r\n--b${i}\r\n`);
const bomb = Buffer.from(`From: a@remote.test\r\nMIME-Version: 1.0\r\n${levels.join('')}\r\nx`);
const refused = { status: 422, body: { success: false, code: 'too_complex' } };

let server: TestServer;
let person: Mailbox;
let token: string;

beforeAll(async () => {
  // A busy machine may need long from the call that sends to the one that takes back
  server = await startTestServer({ environment: { UNDO_MS: '60000' } });
  person = await buildMailbox(server.app);
  token = (await server.signIn(person.user.email, person.password)).token;
});

/** Puts the bytes of a message that is too complex under the rows of another one. */
async function makeTooComplex(messageId: string): Promise<void> {
  const { key, size } = await server.app.blobs.put(bomb);
  await Message.update({ blobKey: key, size }, { where: { id: messageId } });
}

/** A received message with one file, which can't be read any more. */
async function receive(subject: string): Promise<EmailDto> {
  const { user, company } = person;
  const { entryIds, messageId } = await storeInbound(systemContext(server.app), {
    raw: Buffer.from(ordinary(subject)),
    envelopeFrom: 'a@remote.test',
    recipients: [{ userId: String(user.id), companyId: String(company.id), address: user.email }],
    client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
    authentication: null,
    traceHeaders: '',
    mailId: `mail-${subject}`,
  });
  await makeTooComplex(messageId);
  const answer = await server.call('GET', `/mail/get/${entryIds[0]}`, { token });
  expect(answer.status).toBe(200);
  return answer.body.data as EmailDto;
}

async function send(path: string, fields: Record<string, string>): Promise<Answer> {
  const form = new FormData();
  const all = { 'recipient_emails_to[]': 'ben@remote.test', subject: 's', body: 'x', ...fields };
  for (const [name, value] of Object.entries(all)) form.append(name, value);
  return await server.call('POST', path, { token, body: form });
}

describe('a stored message that takes too much to read', () => {
  it('is opened as the beginning of its source, and saved whole', async () => {
    const item = await receive('opened');
    expect(item.body).toContain('beginning of its source');
    expect((await fetch(server.url + item.frame_path)).status).toBe(200);
    expect(await (await fetch(server.url + item.source_path)).text()).toBe(bomb.toString());
  });

  it('is answered by what its row says', async () => {
    const { _id } = await receive('answered');
    expect((await send('/mail/replyOrForward', { originalEmailId: _id, is_reply: 'true' })).status).toBe(200);
  });

  it('gives a clear answer instead of its file, its forward and a text with its picture', async () => {
    const { _id, attachments } = await receive('forwarded');
    const path = attachments[0]?.file_path ?? '';
    const saved = await fetch(server.url + path);
    expect({ status: saved.status, body: await saved.json() }).toMatchObject(refused);
    expect(await send('/mail/replyOrForward', { originalEmailId: _id })).toMatchObject(refused);
    expect(await send('/mail/send', { body: `<img src="${path}">` })).toMatchObject(refused);
  });

  it('can be forwarded without its file', async () => {
    const { _id, attachments } = await receive('without');
    const fields = { originalEmailId: _id, 'without_attachments[]': attachments[0]?._id ?? '' };
    expect((await send('/mail/replyOrForward', fields)).status).toBe(200);
  });

  it('gives a clear answer to undo, and stays sent', async () => {
    const sent = (await send('/mail/send', {})).body.data as { _id: string };
    const entry = await MailboxEntry.findByPk(sent._id, { rejectOnEmpty: true });
    await makeTooComplex(String(entry.messageId));
    expect(await server.call('POST', `/mail/undo_send/${sent._id}`, { token })).toMatchObject(refused);
    expect(await MailboxEntry.count({ where: { id: sent._id } })).toBe(1);
  });
});

describe('a text that takes too much to clean', () => {
  it('is refused in a message', async () => {
    const { app } = server;
    const usual = app.content;
    const strict = openContentReader({ ...app.config, contentCpuSeconds: 0.05 }, app);
    Object.assign(app, { content: strict });
    expect(await send('/mail/send', { body: '<b><i></b></i>'.repeat(200_000) })).toMatchObject(refused);
    Object.assign(app, { content: usual });
    await strict.close();
  });
});
