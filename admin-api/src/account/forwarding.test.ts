import { encodePassword } from '@selvage/core/contracts/fields';
import { systemContext } from '@selvage/core/context/context';
import { AuditEvent } from '@selvage/core/models/audit-event';
import { receive } from '@selvage/core/mailstore/test-messages';
import { Address } from '@selvage/core/models/address';
import { Delivery } from '@selvage/core/models/delivery';
import { Session } from '@selvage/core/models/session';
import { checkForwarding } from '@selvage/core/outbound/forwarded-copy';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildAlias, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';
import { linkMailedTo, mailsTo, tokenOf } from './test-mails.ts';

let server: TestServer;
const subject = /^Confirm that mail/;

beforeAll(async () => {
  server = await startTestServer();
});

interface Person extends Mailbox {
  token: string;
  ask(address: string, password?: string): Promise<Answer>;
  stop(): Promise<Answer>;
  resend(): Promise<Answer>;
}

async function buildPerson(overrides: Parameters<typeof buildMailbox>[1] = {}): Promise<Person> {
  const mailbox = await buildMailbox(server.app, overrides);
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  return {
    ...mailbox,
    token,
    ask: (address, password = mailbox.password) => {
      const body = { forward_to: address, password: encodePassword(password) };
      return server.call('PUT', '/user/forwarding', { token, body });
    },
    stop: () => server.call('DELETE', '/user/forwarding', { token }),
    resend: () => server.call('POST', '/user/forwarding/resend', { token }),
  };
}

const confirm = (token: string) => server.call('POST', '/user/forwarding/confirm', { body: { token } });
const linkTo = async (address: string) => tokenOf(await linkMailedTo(server.app, address, subject));

/** Stores a message for a person, and answers where copies of it go. */
async function copiesOfMailFor(person: Mailbox): Promise<string[]> {
  const { messageId } = await receive(systemContext(server.app), [person]);
  const rows = await Delivery.findAll({ where: { messageId, direction: 'out' } });
  return rows.map(({ recipient }) => recipient);
}

async function eventsOf({ user }: Mailbox) {
  const events = await AuditEvent.findAll({ where: { entityId: String(user.id) }, order: [['id', 'ASC']] });
  return events.filter(({ action }) => action.startsWith('forwarding')).map(({ action, actorId }) => [action, actorId]);
}

describe('forwarding', () => {
  it('begins once the owner of the address has opened the link, and ends when the person says so', async () => {
    const ana = await buildPerson();
    const asked = await ana.ask('Ana@Target-one.test');
    expect(asked.body.data).toMatchObject({ forward_to: 'ana@target-one.test', forward_confirmed: false });
    expect(await copiesOfMailFor(ana)).toEqual([]);
    const token = await linkTo('ana@target-one.test');
    const agreed = await confirm(token);
    expect(agreed.body.data).toEqual({ forward_to: 'ana@target-one.test', email: ana.user.email });
    expect((await confirm(token)).body['code']).toBe('link_invalid');
    expect(await copiesOfMailFor(ana)).toEqual(['ana@target-one.test']);
    const info = await server.call('GET', '/user/info', { token: ana.token });
    expect(info.body.data).toMatchObject({ forward_to: 'ana@target-one.test', forward_confirmed: true });

    expect((await ana.stop()).status).toBe(200);
    expect((await ana.stop()).status).toBe(200);
    expect(await copiesOfMailFor(ana)).toEqual([]);
    expect(await eventsOf(ana)).toEqual([
      ['forwarding:asked', ana.user.id],
      // By the owner of the address
      ['forwarding:confirmed', null],
      ['forwarding:stopped', ana.user.id],
    ]);
    const told = (await mailsTo(server.app, ana.user.email)).map((mail) => mail.subject);
    expect(told.toSorted()).toEqual([
      'Forwarding of your mail was asked for',
      'Your mail is forwarded',
      'Your mail is no longer forwarded',
    ]);
  });

  it('of all mail instead of what filters say is changed thirty times an hour at most', async () => {
    const ida = await buildPerson();
    const change = async (turn: number) => {
      const body = { forward_filtered: turn % 2 === 0 };
      return (await server.call('PUT', '/user/forwarding/scope', { token: ida.token, body })).status;
    };
    const answers: number[] = [];
    for (let turn = 0; turn < 31; turn++) answers.push(await change(turn));
    expect(answers).toEqual([...Array.from({ length: 30 }, () => 200), 429]);
  });

  it('of all mail instead of what filters say leaves an event, and its owner is told', async () => {
    const hal = await buildPerson();
    const setFiltered = (isFiltered: boolean) =>
      server.call('PUT', '/user/forwarding/scope', { token: hal.token, body: { forward_filtered: isFiltered } });
    const told = async () =>
      (await mailsTo(server.app, hal.user.email)).filter((mail) => mail.subject === 'All your mail is forwarded');
    // Nothing is forwarded yet, so there is nothing to tell
    for (const isFiltered of [true, false, true]) await setFiltered(isFiltered);
    await hal.ask('hal@target-ten.test');
    await confirm(await linkTo('hal@target-ten.test'));
    expect(await told()).toEqual([]);
    for (const isFiltered of [false, false, true]) expect((await setFiltered(isFiltered)).status).toBe(200);
    expect((await told()).map(({ text }) => text)).toEqual([expect.stringContaining('hal@target-ten.test')]);
    const where = { entityId: String(hal.user.id), action: 'forwarding:scope-changed' };
    const events = await AuditEvent.findAll({ where, order: ['id'] });
    const to = 'hal@target-ten.test';
    expect(events.map(({ details }) => details)).toEqual([
      { scope: 'filtered' },
      { scope: 'all' },
      { scope: 'filtered' },
      { scope: 'all', to },
      { scope: 'filtered', to },
    ]);
  });

  it('to another address ends that to the one before at once, whose link no longer works', async () => {
    const ben = await buildPerson();
    await ben.ask('first@target-two.test');
    const first = await linkTo('first@target-two.test');
    await ben.ask('second@target-two.test');
    expect((await confirm(first)).status).toBe(400);
    await confirm(await linkTo('second@target-two.test'));
    await ben.ask('third@target-two.test');
    expect(await copiesOfMailFor(ben)).toEqual([]);
  });

  it('is agreed to by no link of an address that another person has by now', async () => {
    const [ana, ben, cai] = [await buildPerson(), await buildMailbox(server.app), await buildMailbox(server.app)];
    const alias = await buildAlias(ben);
    await ana.ask(alias.address);
    const ofBen = await linkTo(alias.address);
    await alias.destroy();
    await buildAlias({ ...ben, user: cai.user }, alias.address.split('@')[0]);
    expect((await confirm(ofBen)).body['code']).toBe('link_invalid');
    expect((await ana.resend()).status).toBe(200);
    expect((await confirm(await linkTo(alias.address))).status).toBe(200);
    expect(await copiesOfMailFor(ana)).toEqual([alias.address]);
  });

  it('asks for the password, and for an address that is not the mailbox itself', async () => {
    const cai = await buildPerson();
    await buildAlias(cai, 'cai-alias');
    const { domainName } = cai.domain;
    const wrong = await cai.ask('cai@target-three.test', 'not it');
    expect([wrong.status, Object.keys(wrong.body.errors ?? {})]).toEqual([422, ['password']]);
    for (const address of [cai.user.email, `cai-alias@${domainName}`, cai.user.email.replace('@', '+tag@')]) {
      const refused = await cai.ask(address);
      expect([address, refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([address, 422, ['forward_to']]);
    }
    for (const address of ['', 'no address', 'a@b@c.test', 'x@y.test\r\nBcc: z@y.test']) {
      expect([address, (await cai.ask(address)).status]).toEqual([address, 422]);
    }
    expect((await cai.user.reload()).forwardTo).toBeNull();
  });

  it('asks for a fresh proof as well while two-factor is on', async () => {
    const dee = await buildPerson();
    await dee.user.update({ twoFactorStatus: true });
    expect((await dee.ask('dee@target-nine.test')).body).toMatchObject({ code: 'confirm_first' });
    await Session.update({ confirmedAt: new Date() }, { where: { userId: String(dee.user.id) } });
    expect((await dee.ask('dee@target-nine.test')).status).toBe(200);
  });

  it('is not confirmed with a link for something else, nor for a person who is deleted or has ended it', async () => {
    const dea = await buildPerson();
    await dea.ask('dea@target-four.test');
    const token = await linkTo('dea@target-four.test');
    const other = await server.call('POST', '/user/recovery_email/confirm', { body: { token } });
    expect(other.status).toBe(400);
    await dea.stop();
    expect((await confirm(token)).status).toBe(400);
    await dea.ask('dea@target-four.test');
    const fresh = await linkTo('dea@target-four.test');
    await dea.user.update({ deletedAt: new Date() });
    expect((await confirm(fresh)).status).toBe(400);
  });

  it('does not begin while its owner may not log in, and the link works once they may again', async () => {
    const flo = await buildPerson();
    await flo.ask('flo@target-nine.test');
    const token = await linkTo('flo@target-nine.test');
    await flo.user.update({ loginAllowed: false });
    expect((await confirm(token)).body['code']).toBe('link_invalid');
    expect(await copiesOfMailFor(flo)).toEqual([]);
    await flo.user.update({ loginAllowed: true });
    expect((await confirm(token)).status).toBe(200);
  });

  it('mails the link again while the address has not agreed, and five times an hour at most', async () => {
    const eli = await buildPerson();
    expect((await eli.resend()).body['code']).toBe('nothing_to_confirm');
    await eli.ask('eli@target-five.test');
    expect((await eli.resend()).status).toBe(200);
    await confirm(await linkTo('eli@target-five.test'));
    expect((await eli.resend()).body['code']).toBe('nothing_to_confirm');
    const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => eli.ask(`eli${n}@target-six.test`)));
    expect(answers.map(({ status }) => status)).toContain(429);
  });
});

it('to a name that only a catch-all takes ends once the catch-all is another mailbox', async () => {
  const ctx = systemContext(server.app);
  const hal = await buildPerson();
  const [first, next] = [await buildMailbox(server.app), await buildMailbox(server.app)];
  const setCatchAll = async ({ user }: Mailbox) => {
    const { id } = await Address.findOne({ where: { address: user.email }, rejectOnEmpty: true });
    await first.domain.update({ catchAllId: String(id) });
  };
  await setCatchAll(first);
  const address = `any@${first.domain.domainName}`;
  await hal.ask(address);
  await confirm(await linkTo(address));
  expect(await checkForwarding(ctx, hal.user.email, address)).toBe(true);
  await setCatchAll(next);
  expect(await checkForwarding(ctx, hal.user.email, address)).toBe(false);
  expect((await hal.user.reload()).forwardTo).toBeNull();
  const [told] = await mailsTo(server.app, hal.user.email);
  expect(told?.text).toContain('It is no longer certain that the mailbox that agreed');
});

describe('an administrator', () => {
  it('who sets a password anew ends the forwarding as well, which a thief may have set up', async () => {
    const admin = await buildPerson({ roleNumber: 1 });
    const gus = await buildPerson({ tenant: admin });
    await gus.ask('gus@target-eight.test');
    await confirm(await linkTo('gus@target-eight.test'));
    const body = { password: encodePassword('another long pass phrase'), version: 1 };
    const { status } = await server.call('PUT', `/user/update/${gus.user.id}`, { token: admin.token, body });
    expect(status).toBe(200);
    expect((await gus.user.reload()).forwardTo).toBeNull();
    const [last] = (await mailsTo(server.app, gus.user.email)).filter(
      (mail) => mail.subject === 'Your password was set',
    );
    expect(last?.text).toContain('The forwarding of your mail to gus@target-eight.test was ended.');
  });

  it('sees where the mail of a person goes and ends it, and the person is told', async () => {
    const admin = await buildPerson({ roleNumber: 1 });
    const fay = await buildPerson({ tenant: admin });
    const off = () => server.call('POST', `/user/forwarding/off/${fay.user.id}`, { token: admin.token });
    expect((await off()).body['code']).toBe('not_forwarded');
    await fay.ask('fay@target-seven.test');
    await confirm(await linkTo('fay@target-seven.test'));
    const shown = await server.call('GET', `/user/get/${fay.user.id}`, { token: admin.token });
    expect(shown.body.data).toMatchObject({ forward_to: 'fay@target-seven.test', forward_confirmed: true });
    expect((await off()).status).toBe(200);
    expect(await copiesOfMailFor(fay)).toEqual([]);
    const told = await mailsTo(server.app, fay.user.email);
    expect(told.map((mail) => mail.subject)).toContain('Your mail is no longer forwarded');
    const [event] = await AuditEvent.findAll({
      where: { entityId: String(fay.user.id), action: 'forwarding:stopped' },
    });
    const details = { email: fay.user.email, to: 'fay@target-seven.test' };
    expect([String(event?.actorId), event?.details]).toEqual([String(admin.user.id), details]);
  });
});
