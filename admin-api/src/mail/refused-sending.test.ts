import { randomBytes } from 'node:crypto';
import { answerInvitation } from '@selvage/core/contracts/invitations';
import { sendEmail } from '@selvage/core/contracts/mail';
import { Delivery } from '@selvage/core/models/delivery';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { MAX_MESSAGE_BYTES: '1048576' } });
});

async function rowsOf({ company }: Mailbox, count: number) {
  const where = { companyId: String(company.id), state: 'refused' as const };
  const rows = await until('the rows', async () => {
    const found = await Delivery.findAll({ where, order: [['id', 'ASC']] });
    return found.length >= count && found;
  });
  return rows.map(({ direction, reason, recipient, answers, envelopeFrom }) => {
    return { direction, reason, recipient, answers, envelopeFrom };
  });
}

async function newPerson() {
  const person = await buildMailbox(server.app);
  const { token } = await server.signIn(person.user.email, person.password);
  const send = (fields: object) => server.call('POST', sendEmail.path, { token, body: fields });
  return { person, token, send };
}

describe('a message of the web app that is not taken', () => {
  it('has a row of the ledger for each of its recipients, with the reason and the sender', async () => {
    const { person, send } = await newPerson();
    const fields = { recipient_emails_to: ['a@remote.test'], recipient_emails_cc: ['b@remote.test'], subject: 'x' };
    const refused = await send({ ...fields, body: '<p>x</p>', from: 'boss@remote.test' });
    expect(refused.status).toBe(422);
    const row = { direction: 'out', reason: 'not_allowed_to_send_as', answers: 1, envelopeFrom: person.user.email };
    expect(await rowsOf(person, 2)).toEqual([
      { ...row, recipient: 'a@remote.test' },
      { ...row, recipient: 'b@remote.test' },
    ]);
  });

  it('has one row when the person may not send, or nothing of it could be read', async () => {
    const { person, token, send } = await newPerson();
    const form = new FormData();
    form.append('attachments', new Blob([randomBytes(2_000_000)]), 'large.bin');
    expect((await server.call('POST', sendEmail.path, { token, body: form })).status).toBe(413);
    const owner = { companyId: person.company.id, userId: person.user.id };
    await UserPermission.create({ ...owner, model: 'sent', canView: true, canCreate: false });
    expect((await send({ recipient_emails_to: ['a@remote.test'], subject: 'x', body: 'x' })).status).toBe(403);
    expect((await rowsOf(person, 2)).map(({ reason, recipient }) => [reason, recipient])).toEqual([
      ['message_too_large', ''],
      ['not_allowed_to_send_as', ''],
    ]);
  });

  it('has one row also when it is the answer to an invitation', async () => {
    const { person, token } = await newPerson();
    const owner = { companyId: person.company.id, userId: person.user.id };
    await UserPermission.create({ ...owner, model: 'sent', canView: true, canCreate: false });
    const path = answerInvitation.path.replace(':id', '1');
    expect((await server.call('POST', path, { token, body: { answer: 'accepted' } })).status).toBe(403);
    expect(await rowsOf(person, 1)).toMatchObject([{ reason: 'not_allowed_to_send_as', recipient: '' }]);
  });

  it('is counted with others of its person, whatever a flood of them names as recipients', async () => {
    const { person, send } = await newPerson();
    const many = Array.from({ length: 5000 }, (_, index) => `${index}@remote.test`);
    for (const to of [many, [{ odd: 1 }], 'text']) {
      expect((await send({ recipient_emails_to: to, subject: 'x', body: 'x' })).status).toBe(422);
    }
    expect((await rowsOf(person, 3)).map(({ reason }) => reason)).toEqual(Array(3).fill('malformed_message'));
  });
});
