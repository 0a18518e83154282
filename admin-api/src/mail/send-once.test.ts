import { randomUUID } from 'node:crypto';
import type { Endpoint } from '@selvage/core/contracts/endpoint';
import { findSent, replyOrForward, sendEmail } from '@selvage/core/contracts/mail';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Delivery } from '@selvage/core/models/delivery';
import { IdempotencyKey } from '@selvage/core/models/idempotency-key';
import { Message } from '@selvage/core/models/message';
import { systemContext } from '@selvage/core/context/context';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { refusalsOf } from './note-refused.ts';

let server: TestServer;
let person: Mailbox;
let token: string;

beforeAll(async () => {
  server = await startTestServer({ environment: { UNDO_MS: '60000' } });
  person = await buildMailbox(server.app);
  token = (await server.signIn(person.user.email, person.password)).token;
});

type Fields = Record<string, string>;

/** A message with a key and a subject that no other test has. */
function newMessage(more: Fields = {}): Fields {
  const id = randomUUID();
  return { 'recipient_emails_to[]': 'ben@remote.test', subject: id, body: '<p>x</p>', idempotency_key: id, ...more };
}

function formOf(fields: Fields, file?: Blob): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append('attachments', file, 'notes.txt');
  return form;
}

const send = (fields: Fields, { file, by = token, to = sendEmail }: SendOptions = {}): Promise<Answer> =>
  server.call('POST', to.path, { token: by, body: formOf(fields, file) });
interface SendOptions {
  file?: Blob;
  by?: string;
  to?: Endpoint;
}

const ask = (key = '', by = token): Promise<Answer> =>
  server.call('GET', findSent.path.replace(':key', key), { token: by });
const outcome = ({ status, body }: Answer): unknown[] => [status, body['code'] ?? body.data];

/** How many messages were committed, and to how many recipients. */
async function counts({ subject = '' }: Fields): Promise<[number, number]> {
  const messages = await Message.findAll({ where: { subject } });
  return [messages.length, await Delivery.count({ where: { messageId: messages.map(({ id }) => id) } })];
}

/** How many rows of the ledger say that a message to this recipient was refused. */
async function refusedTo(recipient: string): Promise<number> {
  await refusalsOf(server.app).flush();
  return await Delivery.count({ where: { recipient, state: 'refused' } });
}

/** Another attempt under the key that has not ended, or never will. */
async function claimOf({ idempotency_key: idempotencyKey = '' }: Fields, seconds: number): Promise<IdempotencyKey> {
  const owner = { companyId: String(person.company.id), userId: String(person.user.id) };
  const claimedUntil = new Date(Date.now() + seconds * 1000);
  return await IdempotencyKey.create({ ...owner, idempotencyKey, fingerprint: 'x', claimedUntil });
}

describe('a message with a key', () => {
  it('is sent once, and repeats get the first answer', async () => {
    const message = newMessage();
    const file = new Blob(['notes'], { type: 'text/plain' });
    const first = await send(message, { file });
    expect(first.status).toBe(200);
    await server.app.redis.flushdb();
    for (const repeat of [await send(message, { file }), await send(message, { file })]) {
      expect(repeat.body).toEqual(first.body);
    }
    expect(outcome(await ask(message['idempotency_key']))).toEqual([200, first.body.data]);
    expect(await counts(message)).toEqual([1, 1]);
  });

  it('is sent once when the calls come at the same moment', async () => {
    const message = newMessage();
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(message)));
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(await counts(message)).toEqual([1, 1]);
  });

  it('is sent once when its caller hung up before the answer', async () => {
    const message = newMessage();
    const hangUp = new AbortController();
    const headers = { authorization: `Bearer ${token}` };
    const url = `${server.url}/api/v1${sendEmail.path}`;
    const lost = fetch(url, { method: 'POST', headers, body: formOf(message), signal: hangUp.signal });
    const given = lost.catch(() => null);
    await until('the key is claimed', () =>
      IdempotencyKey.findOne({ where: { idempotencyKey: message['idempotency_key'] ?? '' } }),
    );
    hangUp.abort();
    await given;
    const again = await send(message);
    expect(again.status).toBe(200);
    expect(await counts(message)).toEqual([1, 1]);
  });

  it('is answered again when its files are large', async () => {
    const message = newMessage();
    const file = new Blob([new Uint8Array(9_000_000)], { type: 'application/zip' });
    const first = await send(message, { file });
    expect((await send(message, { file })).body).toEqual(first.body);
    expect(first.status).toBe(200);
  });

  it('is not mistaken for another message with the same key', async () => {
    const file = new Blob(['notes'], { type: 'text/plain' });
    const message = newMessage({ 'recipient_emails_cc[]': 'carl@remote.test' });
    await send(message, { file });
    const others: [Fields, Blob?][] = [
      [{ 'recipient_emails_to[]': 'eve@remote.test' }, file],
      [{ 'recipient_emails_cc[]': '' }, file],
      [{ 'recipient_emails_bcc[]': 'eve@remote.test' }, file],
      [{ subject: 'another' }, file],
      [{ body: '<p>y</p>' }, file],
      [{}],
      [{}, new Blob(['nodes'], { type: 'text/plain' })],
    ];
    for (const [changes, other] of others) {
      const answer = await send({ ...message, ...changes }, other ? { file: other } : {});
      expect([changes, ...outcome(answer)]).toEqual([changes, 409, 'idempotency_key_reused']);
    }
    expect(await counts(message)).toEqual([1, 2]);
  });

  it('may be a reply, and one to another original is another message', async () => {
    const originals = [await receive(), await receive()];
    const message = newMessage({ originalEmailId: originals[0] ?? '', is_reply: 'true' });
    const first = await send(message, { to: replyOrForward });
    expect(first.status).toBe(200);
    expect((await send(message, { to: replyOrForward })).body).toEqual(first.body);
    const others = [
      { ...message, originalEmailId: originals[1] ?? '' },
      { ...message, is_reply: 'false' },
    ];
    for (const other of others) {
      expect(outcome(await send(other, { to: replyOrForward }))).toEqual([409, 'idempotency_key_reused']);
    }
    expect(outcome(await send(message))).toEqual([409, 'idempotency_key_reused']);
    expect(await counts(message)).toEqual([1, 1]);
  });

  it('that was refused can be corrected and sent under its key', async () => {
    const message = newMessage();
    expect((await send({ ...message, 'recipient_emails_to[]': 'no address' })).status).toBe(422);
    expect(outcome(await ask(message['idempotency_key']))).toEqual([404, 'not_sent']);
    expect((await send(message)).status).toBe(200);
  });

  it('belongs to one person', async () => {
    const other = await buildMailbox(server.app, { tenant: person });
    const theirs = (await server.signIn(other.user.email, other.password)).token;
    const message = newMessage();
    await send(message);
    expect(outcome(await ask(message['idempotency_key'], theirs))).toEqual([404, 'not_sent']);
    expect((await send(message, { by: theirs })).status).toBe(200);
    expect(await counts(message)).toEqual([2, 2]);
  });

  it('needs a valid key', async () => {
    for (const key of ['short', 'x'.repeat(65), "' OR 1=1 -- ' OR 1=1"]) {
      expect((await send(newMessage({ idempotency_key: key }))).body.errors).toHaveProperty('idempotency_key');
      expect((await ask(encodeURIComponent(key))).body.errors).toHaveProperty('key');
    }
  });
});

describe('a message that is taken back', () => {
  it('is not sent by a late repeat, and its draft is sent under a key of its own', async () => {
    const message = newMessage({ 'recipient_emails_to[]': 'taken-back@remote.test' });
    const { _id } = (await send(message)).body.data as { _id: string };
    const undone = await server.call('POST', `/mail/undo_send/${_id}`, { token });
    const { draft_id } = undone.body.data as { draft_id: string };
    expect(outcome(await send(message))).toEqual([409, 'send_undone']);
    const asked = await ask(message['idempotency_key']);
    expect([...outcome(asked), asked.body.ids]).toEqual([409, 'send_undone', { draft_id }]);
    const edited = newMessage({ subject: `${message['subject']} edited`, draft_id });
    const again = await send(edited);
    expect(again.status).toBe(200);
    // The draft is gone by now, and the answer is still the first one
    expect((await send(edited)).body).toEqual(again.body);
    const repeated = await send(message);
    expect([...outcome(repeated), repeated.body.ids]).toEqual([409, 'send_undone', undefined]);
    expect(await counts(edited)).toEqual([1, 1]);
    expect(await refusedTo('taken-back@remote.test')).toBe(0);
  });
});

describe('a message whose first call has not ended', () => {
  it('is not taken for one that was not sent, and its repeat waits', async () => {
    const message = newMessage();
    const claim = await claimOf(message, 60);
    const asked = await ask(message['idempotency_key']);
    expect([...outcome(asked), asked.headers.get('retry-after')]).toEqual([409, 'still_sending', '1']);
    const repeat = send(message);
    const patient = await Promise.race([repeat, until('a moment', () => Date.now() > claim.createdAt.getTime() + 500)]);
    expect(patient).toBe(true);
    await claim.destroy();
    expect((await repeat).status).toBe(200);
    expect(await counts(message)).toEqual([1, 1]);
  });

  it('is not waited for too long', async () => {
    const message = newMessage();
    await claimOf(message, 60);
    message['recipient_emails_to[]'] = 'under-way@remote.test';
    expect(outcome(await send(message))).toEqual([409, 'still_sending']);
    expect(await counts(message)).toEqual([0, 0]);
    expect(await refusedTo('under-way@remote.test')).toBe(0);
  });

  it('is taken over from a process that died', async () => {
    const message = newMessage();
    await claimOf(message, -1);
    expect(outcome(await ask(message['idempotency_key']))).toEqual([404, 'not_sent']);
    const answers = await Promise.all([send(message), send(message), send(message)]);
    expect(new Set(answers.map(({ body }) => JSON.stringify(body.data))).size).toBe(1);
    expect(await counts(message)).toEqual([1, 1]);
  });
});

async function receive(): Promise<string> {
  const { user, company } = person;
  const stored = await storeInbound(systemContext(server.app), {
    raw: Buffer.from(`From: a@remote.test\r\nTo: ${user.email}\r\nMessage-ID: <${randomUUID()}@x>\r\n\r\ntext\r\n`),
    envelopeFrom: 'a@remote.test',
    recipients: [{ userId: String(user.id), companyId: String(company.id), address: user.email }],
    client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
    authentication: null,
    traceHeaders: '',
    mailId: randomUUID(),
  });
  return stored.entryIds[0] ?? '';
}
