import { systemContext } from '@selvage/core/context/context';
import type { EmailDto } from '@selvage/core/contracts/email';
import type { SentDeliveryDto } from '@selvage/core/contracts/sent-deliveries';
import { Delivery } from '@selvage/core/models/delivery';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { UserPermission } from '@selvage/core/models/user-permission';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let ana: Mailbox;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  ana = await buildMailbox(server.app);
  ({ token } = await server.signIn(ana.user.email, ana.password));
});

/** A message of Ana to three people, and the id of her copy of it. */
async function send(states: Partial<Delivery>[]): Promise<string> {
  const { user } = ana;
  const raw = Buffer.from(`From: ${user.email}\r\nSubject: hello\r\n\r\ntext\r\n`);
  const recipients = ['a@remote.test', 'b@remote.test', 'c@remote.test'];
  const { mailId } = await submitMessage(systemContext(server.app), { user, raw, door: 'web', bcc: [], recipients });
  const rows = await Delivery.findAll({ where: { mailId }, order: [['id', 'ASC']] });
  for (const [index, row] of rows.entries()) await row.update(states[index] ?? {});
  return String(rows[0]?.entryId);
}

const soon = () => new Date(Date.now() + 30_000);
const ask = (ids: string, as = token) => server.call('GET', `/mail/sent_deliveries?ids=${ids}`, { token: as });
const read = async (ids: string): Promise<SentDeliveryDto[]> => (await ask(ids)).body.data as SentDeliveryDto[];

describe('how sent messages stand', () => {
  it('is summed up over their recipients, for all messages of a page at once', async () => {
    const partly = await send([{ state: 'bounced' }, { state: 'relayed' }, { state: 'relayed' }]);
    await MailboxEntry.update({ deliveryState: 'bounced' }, { where: { id: partly } });
    const late = await send([{ state: 'queued', attempts: 2 }, { state: 'queued', attempts: 0 }, { state: 'relayed' }]);
    await MailboxEntry.update({ deliveryState: 'queued' }, { where: { id: late } });
    const held = await send([{ state: 'held', reason: 'held_by_administrator' }, { state: 'relayed' }]);
    await MailboxEntry.update({ deliveryState: 'held' }, { where: { id: held } });
    const found = await read(`${partly},${late},${held}`);
    expect(found).toHaveLength(3);
    expect(found).toEqual(
      expect.arrayContaining([
        { _id: partly, state: 'bounced', recipients: 3, failed: 1, delayed: 0, kept_back: 0 },
        { _id: late, state: 'queued', recipients: 3, failed: 0, delayed: 1, kept_back: 0 },
        { _id: held, state: 'held', recipients: 3, failed: 0, delayed: 0, kept_back: 1 },
      ]),
    );
  });

  it('is not late while it is sent for the first time', async () => {
    const [first, second] = [
      { attempts: 1, leaseUntil: soon() },
      { attempts: 2, leaseUntil: soon() },
    ];
    const id = await send([first, second, { attempts: 1 }]);
    expect(await read(id)).toMatchObject([{ _id: id, state: 'queued', delayed: 2 }]);
    const { deliveries } = (await server.call('GET', `/mail/get/${id}`, { token })).body.data as EmailDto;
    expect(deliveries.map(({ attempts }) => attempts)).toEqual([0, 1, 1]);
  });

  it('is told to their sender alone', async () => {
    const id = await send([]);
    const other = await buildMailbox(server.app, { tenant: ana });
    const theirs = await server.signIn(other.user.email, other.password);
    expect((await ask(id, theirs.token)).body.data).toEqual([]);
    expect((await server.call('GET', `/mail/sent_deliveries?ids=${id}`, {})).status).toBe(401);
  });

  it('is told to a person who may see what they sent', async () => {
    const blind = await buildMailbox(server.app, { tenant: ana });
    const { user, company } = blind;
    await UserPermission.create({
      companyId: String(company.id),
      userId: String(user.id),
      model: 'sent',
      canCreate: true,
    });
    const { token: theirs } = await server.signIn(user.email, blind.password);
    const answer = await ask('1', theirs);
    expect([answer.status, answer.body.code]).toEqual([403, 'forbidden']);
  });

  it('refuses what is no list of ids, and too long ones', async () => {
    for (const ids of ['', 'x', '1,,2', '1;2', '-1']) expect([ids, (await ask(ids)).status]).toEqual([ids, 422]);
    const many = Array.from({ length: 101 }, (_, index) => index + 1).join(',');
    expect((await ask(many)).status).toBe(422);
    expect(await read('999999999')).toEqual([]);
  });
});
