import { systemContext } from '@selvage/core/context/context';
import { Delivery } from '@selvage/core/models/delivery';
import { Domain } from '@selvage/core/models/domain';
import { findDeliveries } from '@selvage/core/trace/find-deliveries';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { SmtpPeer } from '../../../tests/support/smtp-peer.ts';
import { until } from '../../../tests/support/until.ts';
import { type Door, startDoor } from '../../test-support/start-door.ts';

const from = 'ann@remote.test';
let door: Door;
let ana: Mailbox;
let other: Mailbox;

beforeAll(async () => {
  door = await startDoor('main-inbound.ts', { environment: { MAX_RECIPIENTS: '2' } });
  [ana, other] = [await buildMailbox(door.app), await buildMailbox(door.app)];
});

/** Offers mail to each of the addresses in one session; answers the codes of the replies. */
async function offer(offered: { to: string; size?: number }[]): Promise<string[]> {
  const peer = await SmtpPeer.open(door.port);
  const codes: string[] = [];
  for (const { to, size } of offered) {
    await peer.command(`MAIL FROM:<${from}>${size === undefined ? '' : ` SIZE=${size}`}`);
    codes.push((await peer.command(`RCPT TO:<${to}>`)).slice(0, 9));
    await peer.command('RSET');
  }
  peer.close();
  return codes;
}

/** What the administrators of a company find of the mail for a domain. */
async function traceOf({ company }: Mailbox, search: string) {
  const scope = { kind: 'company', companyId: String(company.id) } as const;
  const period = { from: new Date(Date.now() - 3_600_000), to: new Date(Date.now() + 3_600_000) };
  const { rows } = await findDeliveries(
    systemContext(door.app),
    scope,
    { ...period, search },
    { offset: 0, limit: 100 },
  );
  return rows.map(({ recipient, state, reason }) => ({ recipient, state, reason }));
}

const addressAt = ({ domain }: Mailbox, local: string) => `${local}@${domain.domainName}`;

async function rowOf(recipient: string): Promise<Delivery> {
  return await until('the ledger row', () => Delivery.findOne({ where: { recipient } }));
}

describe('a refused recipient', () => {
  it('is found by the administrators of its company, and by those of no other one', async () => {
    const tenant = { company: ana.company, domain: ana.domain, roles: ana.roles };
    const person = (values: object) => buildMailbox(door.app, { tenant, user: values });
    const full = await person({ storageLimit: '0' });
    const small = await person({ storageLimit: '3000' });
    const inactive = await person({ activeStatus: false });
    const deleted = await person({ deletedAt: new Date() });
    const group = await buildGroup(ana, { members: [inactive] });
    const unknown = addressAt(ana, 'nobody');
    const expected = [
      { to: unknown, reason: 'unknown_recipient', code: '550 5.1.1' },
      { to: full.user.email, reason: 'mailbox_full', code: '452 4.2.2' },
      { to: small.user.email, size: 3001, reason: 'message_too_large', code: '552 5.2.3' },
      { to: inactive.user.email, reason: 'inactive_mailbox', code: '450 4.2.1' },
      { to: group.address, reason: 'inactive_mailbox', code: '450 4.2.1' },
      { to: deleted.user.email, reason: 'deleted_mailbox', code: '550 5.1.1' },
    ];
    expect(await offer(expected)).toEqual(expected.map(({ code }) => code));
    const found = await until('all rows', async () => {
      const rows = await traceOf(ana, ana.domain.domainName);
      return rows.length === expected.length ? rows : null;
    });
    expect(found).toEqual(
      expect.arrayContaining(expected.map(({ to, reason }) => ({ recipient: to, state: 'refused', reason }))),
    );
    expect(await traceOf(other, ana.domain.domainName)).toEqual([]);
    expect(await traceOf(other, unknown)).toEqual([]);
  });

  it('belongs to no company where none has proved the domain', async () => {
    const name = `unproved-${ana.domain.domainName}`;
    await Domain.create({ companyId: String(ana.company.id), domainName: name });
    const [unproved, foreign] = [`a@${name}`, `a@foreign-${ana.domain.domainName}`];
    expect(await offer([{ to: unproved }, { to: foreign }])).toEqual(['450 4.7.1', '550 5.7.1']);
    expect(await rowOf(unproved)).toMatchObject({ companyId: null, reason: 'unproved_domain' });
    expect(await rowOf(foreign)).toMatchObject({ companyId: null, reason: 'relay_denied' });
    expect(await traceOf(ana, name)).toEqual([]);
  });
});

describe('a transaction without an end', () => {
  it.each([
    ['an accepted address', '127.11.0.1', {}, /^250 2\.1\.5 /],
    ['a refused address', '127.12.0.1', { activeStatus: false }, /^450 4\.2\.1 /],
  ])(
    'is ended after ten commands for each of its recipients, which may all name %s',
    async (_name, address, user, reply) => {
      const { company, domain, roles } = ana;
      const { user: named } = await buildMailbox(door.app, { tenant: { company, domain, roles }, user });
      // A peer of its own for each: beyond 30 refusals a minute there are no further rows
      const peer = await SmtpPeer.open(door.port, { from: address });
      await peer.command(`MAIL FROM:<${from}>`);
      const rcpt = `RCPT TO:<${named.email}>`;
      for (let count = 0; count < 20; count += 1) expect(await peer.command(rcpt)).toMatch(reply);
      const last = await peer.command(rcpt);
      expect(last).toMatch(/^421 4\.7\.0 /);
      expect(await peer.command('NOOP')).toBe('');
      peer.close();
      const where = { recipient: named.email, reason: 'too_many_recipients' };
      const row = await until('the ledger row', () => Delivery.findOne({ where }));
      expect(row.lastReply).toBe(last);
    },
  );
});
