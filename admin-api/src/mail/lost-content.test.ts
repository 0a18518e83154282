import { truncate, unlink, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import type { EmailDto } from '@selvage/core/contracts/email';
import { systemContext } from '@selvage/core/context/context';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Draft } from '@selvage/core/models/draft';
import { DraftAttachment } from '@selvage/core/models/draft-attachment';
import { Message } from '@selvage/core/models/message';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { blobPath } from '../../../tests/support/stored-bytes.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

const sentence = 'The text of this message is missing or damaged on the server.';
let server: TestServer;
let person: Mailbox;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ environment: { LOG_LEVEL: 'silent' } });
  person = await buildMailbox(server.app);
  token = (await server.signIn(person.user.email, person.password)).token;
});

/** A received message with a file; large ones are read in a thread. */
async function receive(thread: string, bytes = 0): Promise<{ entryId: string; path: string; size: number }> {
  const raw = Buffer.from(
    [
      'From: Ben <ben@remote.test>',
      `To: ${person.user.email}`,
      'Subject: of value',
      `Message-ID: <${randomUUID()}@remote.test>`,
      `References: <${thread}@remote.test>`,
      'Content-Type: multipart/mixed; boundary=m',
      '',
      '--m',
      '',
      'The first words.',
      ...Array.from({ length: bytes / 80 }, () => 'x'.repeat(78)),
      '--m',
      'Content-Type: text/plain; name=a.txt',
      'Content-Disposition: attachment; filename=a.txt',
      '',
      'the file',
      '--m--',
      '',
    ].join('\r\n'),
  );
  const { messageId, entryIds } = await storeInbound(systemContext(server.app), {
    raw,
    envelopeFrom: 'ben@remote.test',
    recipients: [{ userId: String(person.user.id), companyId: String(person.company.id), address: person.user.email }],
    client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
    authentication: null,
    traceHeaders: '',
    mailId: randomUUID(),
  });
  const { blobKey, size } = await Message.findByPk(messageId, { rejectOnEmpty: true });
  return { entryId: entryIds[0] ?? '', path: blobPath(server.app, blobKey), size };
}

async function open(entryId: string): Promise<EmailDto> {
  const answer = await server.call('GET', `/mail/get/${entryId}`, { token });
  expect(answer.status).toBe(200);
  return answer.body.data as EmailDto;
}

const damages: [string, (path: string, size: number) => Promise<void>][] = [
  ['missing', (path) => unlink(path)],
  ['truncated', (path, size) => truncate(path, Math.floor(size / 2))],
  ['changed', (path, size) => writeFile(path, 'y'.repeat(size))],
];

describe.each(damages)('a message whose bytes are %s', (_name, damage) => {
  it.each([0, 200_000])('of %i bytes and more is shown as a sentence, and its conversation as it is', async (bytes) => {
    const thread = randomUUID();
    const whole = await receive(thread);
    const lost = await receive(thread, bytes);
    await damage(lost.path, lost.size);
    const opened = await open(lost.entryId);
    expect(opened).toMatchObject({ subject: 'of value', sender_email: 'ben@remote.test' });
    expect(opened.body).toContain(sentence);
    expect(opened.body).toContain('The first words.');
    expect(opened.replies[0]?.body).toContain('The first words.');
    expect(opened.replies[0]?.body).not.toContain(sentence);
    const other = await open(whole.entryId);
    expect(other.body).not.toContain(sentence);
    expect(other.replies[0]?.body).toContain(sentence);
    const frame = await fetch(server.url + opened.frame_path);
    expect([frame.status, await frame.text()]).toEqual([200, expect.stringContaining(sentence)]);
    const file = await fetch(server.url + (opened.attachments[0]?.file_path ?? ''));
    expect(file.status).toBe(410);
    expect(await file.json()).toMatchObject({ code: 'content_lost' });
  });

  it('can be answered, and not forwarded with its files', async () => {
    const lost = await receive(randomUUID());
    await damage(lost.path, lost.size);
    const send = async (isReply: boolean) => {
      const form = new FormData();
      form.append('recipient_emails_to[]', 'ben@remote.test');
      form.append('originalEmailId', lost.entryId);
      form.append('is_reply', String(isReply));
      return await server.call('POST', '/mail/replyOrForward', { token, body: form });
    };
    expect((await send(true)).body).toMatchObject({ success: true });
    const forward = await send(false);
    expect([forward.status, forward.body['code']]).toEqual([410, 'content_lost']);
  });
});

describe.each(damages)('a file of a draft whose bytes are %s', (_name, damage) => {
  it('is refused with 410', async () => {
    const owner = { companyId: String(person.company.id), userId: String(person.user.id) };
    const draft = await Draft.create({ ...owner, toList: [], ccList: [], bccList: [] });
    const { key, size } = await server.app.blobs.put(Buffer.from(randomUUID()));
    const facts = { blobKey: key, size, filename: 'a.txt', contentType: 'text/plain' };
    await DraftAttachment.create({ draftId: String(draft.id), ...facts });
    const shown = async () => {
      const { body } = await server.call('GET', `/mail/draft/get/${draft.id}`, { token });
      const [file] = (body.data as EmailDto).attachments;
      return await fetch(server.url + (file?.file_path ?? ''));
    };
    expect((await shown()).status).toBe(200);
    await damage(blobPath(server.app, key), size);
    const refused = await shown();
    expect([refused.status, await refused.json()]).toEqual([410, expect.objectContaining({ code: 'content_lost' })]);
  });
});
