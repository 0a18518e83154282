import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import type { EmailDto } from '@selvage/core/contracts/email';
import { systemContext } from '@selvage/core/context/context';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Domain } from '@selvage/core/models/domain';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildGroup, buildMailbox } from '../../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, buildDomain } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let ana: Administrator;

beforeAll(async () => {
  // A busy machine may need long from the call that sends to the one that takes back
  server = await startTestServer({ environment: { UNDO_MS: '60000' } });
  ana = await buildAdministrator(server, { user: { fname: 'Ana', lname: 'Silva' } });
});

const call = async (path: string, fields: Record<string, string>) => {
  const body = new FormData();
  const all = { 'recipient_emails_to[]': 'bob@remote.test', subject: 'Lot', body: '<p>x</p>', ...fields };
  for (const [name, value] of Object.entries(all)) body.append(name, value);
  return await ana.call('POST', path, body);
};
const send = (fields: Record<string, string>) => call('/mail/send', fields);
const sentOf = async (answer: Awaited<ReturnType<typeof send>>) => {
  expect(answer.status).toBe(200);
  const { _id: id } = answer.body.data as { _id: string };
  const entry = await MailboxEntry.findByPk(id, { rejectOnEmpty: true });
  return { id, message: await Message.findByPk(entry.messageId, { rejectOnEmpty: true }) };
};
const draftsOf = () => MailboxEntry.count({ where: { userId: String(ana.user.id) } });

describe('the address in From', () => {
  it('is the mailbox unless an alias is chosen, with the name of the person and the mailbox on the envelope', async () => {
    const alias = await buildAlias(ana);
    const usual = await sentOf(await send({}));
    expect(usual.message).toMatchObject({ fromName: 'Ana Silva', fromAddress: ana.user.email });
    const chosen = await sentOf(await send({ from: alias.address.toUpperCase() }));
    const expected = { fromName: 'Ana Silva', fromAddress: alias.address, envelopeFrom: ana.user.email };
    expect(chosen.message).toMatchObject(expected);
    const mailbox = await sentOf(await send({ from: ana.user.email }));
    expect(mailbox.message.fromAddress).toBe(ana.user.email);
  });

  it('is chosen for an answer as well', async () => {
    const alias = await buildAlias(ana);
    const original = await sentOf(await send({}));
    const fields = { from: alias.address, originalEmailId: original.id, is_reply: 'true' };
    const { message } = await sentOf(await call('/mail/replyOrForward', fields));
    expect(message.fromAddress).toBe(alias.address);
  });

  it('is refused at its field unless it is an alias of the sender, and nothing is stored', async () => {
    const ben = await buildMailbox(server.app, { tenant: ana });
    const [foreign, gone] = [await buildAlias(ben), await buildAlias(ana)];
    const group = await buildGroup(ana, { members: [ana] });
    await gone.destroy();
    const before = await draftsOf();
    for (const from of [foreign.address, gone.address, ben.user.email, group.address, 'eve@remote.test']) {
      const { status, body } = await send({ from });
      const text = `You can’t send from ${from}. Choose another address in From.`;
      expect([from, status, body.errors]).toEqual([from, 422, { from: text }]);
    }
    for (const from of ['', 'no address', 'a@b.test, c@d.test']) {
      const { status, body } = await send({ from });
      expect([from, status, Object.keys(body.errors ?? {})]).toEqual([from, 422, ['from']]);
    }
    expect(await draftsOf()).toBe(before);
  });

  it('may be corrected under the same key, and is part of what was sent under it', async () => {
    const [alias, gone] = [await buildAlias(ana), await buildAlias(ana)];
    await gone.destroy();
    const idempotency_key = randomUUID();
    expect((await send({ idempotency_key, from: gone.address })).status).toBe(422);
    const first = await send({ idempotency_key, from: alias.address });
    expect((await sentOf(first)).message.fromAddress).toBe(alias.address);
    expect((await send({ idempotency_key, from: alias.address })).body).toEqual(first.body);
    expect((await send({ idempotency_key })).body.code).toBe('idempotency_key_reused');
  });

  it('stays with a message that is taken back', async () => {
    const alias = await buildAlias(ana);
    const { id } = await sentOf(await send({ from: alias.address }));
    const { body } = await ana.call('POST', `/mail/undo_send/${id}`);
    const { draft_id } = body.data as { draft_id: string };
    const draft = await ana.call('GET', `/mail/draft/get/${draft_id}`);
    expect(draft.body.data).toMatchObject({ from: alias.address });
  });
});

describe('the own aliases', () => {
  it('are told to the person, without those of a domain that is not in use', async () => {
    const person = await buildAdministrator(server);
    const infoOf = async () =>
      ((await person.call('GET', '/user/info')).body as unknown as { data: CurrentUserDto }).data.aliases;
    expect(await infoOf()).toEqual([]);
    const [second, off, deleted] = [
      await buildAlias(person, 'b'),
      await buildDomain(person),
      await buildDomain(person, { deletedAt: new Date() }),
    ];
    await Domain.update({ activeStatus: false }, { where: { id: off.id } });
    await buildAlias({ ...person, domain: off });
    await buildAlias({ ...person, domain: deleted });
    const first = await buildAlias(person, 'a');
    expect(await infoOf()).toEqual([first.address, second.address]);
  });
});

describe('a received message', () => {
  it('names the alias that it came in by, and no other', async () => {
    const receive = async (expansion: object) => {
      const raw = Buffer.from(
        `From: ben@remote.test\r\nSubject: Lot\r\nMessage-ID: <${randomUUID()}@remote.test>\r\n\r\nx`,
      );
      const { entryIds } = await storeInbound(systemContext(server.app), {
        raw,
        envelopeFrom: 'ben@remote.test',
        recipients: [
          { userId: String(ana.user.id), companyId: String(ana.company.id), address: ana.user.email, ...expansion },
        ],
        client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
        authentication: null,
        traceHeaders: '',
        mailId: randomUUID().slice(0, 24),
      });
      return ((await ana.call('GET', `/mail/get/${entryIds[0]}`)).body.data as EmailDto).delivered_to;
    };
    const { address } = await buildAlias(ana);
    expect(await receive({ address, expansion: { by: 'alias', to: ana.user.email } })).toBe(address);
    expect(await receive({})).toBe(null);
    const group = await buildGroup(ana, { members: [ana] });
    const byGroup = { address: group.address, expansion: { by: 'group', to: ana.user.email } };
    expect(await receive(byGroup)).toBe(null);
  });
});
