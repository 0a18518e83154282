import type { RecipientDto } from '@selvage/core/contracts/recipients';
import { builtInRole } from '@selvage/core/contracts/permissions';
import { Group } from '@selvage/core/models/group';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

async function signIn(mailbox: Mailbox) {
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  const ask = (q: string) => server.call('GET', `/mail/recipients?q=${encodeURIComponent(q)}`, { token });
  const found = async (q: string) => ((await ask(q)).body.data as RecipientDto[]).map(({ address }) => address);
  const forget = (address: string) => server.call('POST', '/mail/recipients/forget', { token, body: { address } });
  const send = (body: object) =>
    server.call('POST', '/mail/send', { token, body: { subject: 'x', body: 'x', ...body } });
  return { ask, found, forget, send };
}

describe('the call that completes addresses', () => {
  it('knows whom its caller has written to, in To, Cc and Bcc, and tells no other caller', async () => {
    const [ana, bea] = [await buildMailbox(server.app), await buildMailbox(server.app)];
    const { found, ask, send } = await signIn(ana);
    expect(await found('')).toEqual([ana.user.email]);
    const people = ['To Wool <to@remote.test>', 'cc@remote.test', '"Hidden, Bo" <bcc@remote.test>'];
    const [to, cc, bcc] = people.map((one) => [one]);
    await send({ recipient_emails_to: to, recipient_emails_cc: cc, recipient_emails_bcc: bcc });
    expect((await found('')).toSorted()).toEqual(
      ['bcc@remote.test', 'cc@remote.test', 'to@remote.test', ana.user.email].toSorted(),
    );
    expect((await ask('hidden')).body.data).toEqual([
      { name: 'Hidden, Bo', address: 'bcc@remote.test', kind: 'written' },
    ]);
    expect(await (await signIn(bea)).found('hidden')).toEqual([]);
  });

  it('forgets for its caller alone whom they wrote to, until they write again', async () => {
    const ana = await signIn(await buildMailbox(server.app));
    const bea = await signIn(await buildMailbox(server.app));
    const letter = { recipient_emails_to: ['To Wool <to@remote.test>'] };
    for (const { send } of [ana, bea]) await send(letter);
    expect((await ana.forget('TO@remote.test')).status).toBe(200);
    expect([await ana.found('wool'), await bea.found('wool')]).toEqual([[], ['to@remote.test']]);
    for (const unknown of ['nobody@remote.test', 'no address']) {
      expect((await ana.forget(unknown)).status).toBe(200);
    }
    expect((await ana.forget(' ')).status).toBe(422);
    await ana.send(letter);
    expect(await ana.found('wool')).toEqual(['to@remote.test']);
  });

  it('offers each group of a company by what was typed, however many groups come before it', async () => {
    const ana = await buildMailbox(server.app);
    const companyId = String(ana.company.id);
    const at = (local: string) => `${local}@${ana.domain.domainName}`;
    const fillers = Array.from({ length: 600 }, (_, n) => ({ companyId, name: `Filler ${n}`, address: at(`f${n}`) }));
    await Group.bulkCreate(fillers);
    await Group.create({ companyId, name: 'Zürich Straße', address: at('z.x0') });
    await Group.create({ companyId, name: 'Zürich off', address: at('z.x1'), activeStatus: false });
    const { found } = await signIn(ana);
    for (const typed of ['zuri', 'strasse', 'zür straß', 'x0', 'Z.X']) {
      expect([typed, await found(typed)]).toEqual([typed, [at('z.x0')]]);
    }
    expect(await found('uric')).toEqual([]);
  });

  it.each(['영업팀', 'बिक्री टीम', 'ฝ่ายขาย', 'ガス', 'Продажи'])('offers the group %s', async (name) => {
    const ana = await buildMailbox(server.app);
    const address = `sales@${ana.domain.domainName}`;
    await Group.create({ companyId: String(ana.company.id), name, address });
    const { found } = await signIn(ana);
    expect(await found(name.slice(0, 2))).toEqual([address]);
  });

  it('tells people of the provider of their own company alone', async () => {
    const [staff, other] = [
      await buildMailbox(server.app),
      await buildMailbox(server.app, { user: { fname: 'Zuse' } }),
    ];
    await staff.company.update({ isProvider: true });
    const role = staff.roles.get(builtInRole.superAdmin);
    await staff.user.update({ roleId: String(role?.id) });
    const { found } = await signIn(staff);
    expect(await found('zuse')).toEqual([]);
    expect(await found('ana')).toEqual([staff.user.email]);
    expect(await (await signIn(other)).found('zuse')).toEqual([other.user.email]);
  });

  it('is for people who may write', async () => {
    const ana = await buildMailbox(server.app);
    const flags = { canView: true, canCreate: false, canEdit: true, canDelete: true };
    const owner = { companyId: String(ana.company.id), userId: String(ana.user.id) };
    await UserPermission.create({ ...owner, model: 'sent', ...flags });
    const { ask, forget } = await signIn(ana);
    expect((await ask('ana')).status).toBe(403);
    expect((await forget('to@remote.test')).status).toBe(403);
  });

  it.each(['a'.repeat(321), ' '.repeat(320), '%_\\', "'; --", '\ud800', '(((('])('takes any text: %j', async (text) => {
    const { ask } = await signIn(await buildMailbox(server.app));
    const { status } = await ask(text.isWellFormed() ? text : '\ufffd');
    expect(status).toBe(text.length > 320 ? 422 : 200);
  });
});
