import { randomBytes } from 'node:crypto';
import { systemContext } from '@selvage/core/context/context';
import { builtInRole } from '@selvage/core/contracts/permissions';
import type { StoryDto, TracedDto } from '@selvage/core/contracts/trace';
import { resolveRecipient } from '@selvage/core/directory/resolve-recipient';
import { addLedgerRows, type LedgerEntry } from '@selvage/core/ledger/add-ledger-rows';
import { inboundOf, rawMessage } from '@selvage/core/mailstore/test-messages';
import { changeStatus } from '@selvage/core/mailstore/change-status';
import { removeMessageIfUnreferenced } from '@selvage/core/mailstore/remove-unreferenced';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Delivery } from '@selvage/core/models/delivery';
import { Domain } from '@selvage/core/models/domain';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { submitMessage } from '@selvage/core/outbound/submit-message';
import { recordAttempts } from '@selvage/core/outbound/record-attempt';
import { findDeliveries } from '@selvage/core/trace/find-deliveries';
import { beforeAll, describe, expect, it } from 'vitest';
import { claimOne } from '../../../tests/support/claim-one.ts';
import { explaining } from '../../../tests/support/explain.ts';
import { buildGroup, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Administrator, buildAdministrator, buildProvider } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let admin: Administrator;
let provider: Administrator;
let other: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
  other = await buildAdministrator(server);
  provider = await buildProvider(server);
});

const ctxOf = () => systemContext(server.app);
const unique = () => randomBytes(5).toString('hex');

async function find(as: Administrator, query: Record<string, string>): Promise<TracedDto[]> {
  const asked = new URLSearchParams({ limit: '100', ...query }).toString();
  const { status, body } = await as.call('GET', `/trace/get/all?${asked}`);
  expect(status).toBe(200);
  return body.data as TracedDto[];
}

const idsOf = (rows: TracedDto[]) => rows.map(({ _id }) => _id);

async function story(as: Administrator, id: string): Promise<StoryDto> {
  const { status, body } = await as.call('GET', `/trace/get/${id}`);
  expect(status).toBe(200);
  return body.data as StoryDto;
}

/** A row of the ledger of a company; answers its id. */
async function row({ company }: Mailbox, overrides: Partial<LedgerEntry> = {}): Promise<string> {
  const entry: LedgerEntry = {
    companyId: String(company.id),
    messageId: null,
    mailId: unique(),
    direction: 'out',
    recipient: `x@${unique()}.example`,
    envelopeFrom: `y@${unique()}.example`,
    state: 'relayed',
    reason: 'remote_accepted',
    ...overrides,
  };
  return (await addLedgerRows(ctxOf(), [entry]))[0] ?? '';
}

/** Mail from a person to some addresses; answers the ids of its rows by recipient. */
async function send({ user }: Mailbox, to: string[], bcc: string[] = []): Promise<Map<string, string>> {
  const header = [`From: ${user.email}`, `To: ${to.join(', ')}`, `Message-ID: <${unique()}@writer.test>`];
  const raw = Buffer.from(`${header.join('\r\n')}\r\n\r\ntext\r\n`);
  const { mailId } = await submitMessage(ctxOf(), { user, raw, door: 'web', bcc });
  const rows = await Delivery.findAll({ where: { mailId } });
  return new Map(rows.map(({ id, recipient }) => [recipient, String(id)]));
}

/** Its only person deletes a message for good, and it is removed from the host. */
async function deleteForGood({ user }: Mailbox, messageId: string): Promise<void> {
  const entries = await MailboxEntry.findAll({ where: { messageId } });
  const entryIds = entries.map(({ id }) => String(id));
  await changeStatus(ctxOf(), { userId: String(user.id), entryIds, flags: { deleteStatus: true } });
  expect(await removeMessageIfUnreferenced(ctxOf(), messageId)).toBe('removed');
}

describe('the search for a message', () => {
  it('finds an exact address, as sender or recipient, whatever the case', async () => {
    const [name, host] = [unique(), `${unique()}.example`];
    const sent = await row(admin, { recipient: `${name.toUpperCase()}@${host}` });
    const received = await row(admin, { envelopeFrom: `${name}@${host.toUpperCase()}`, direction: 'in' });
    await row(admin, { recipient: `not-${name}@${host}` });
    const search = `${name}@${host}`;
    expect(idsOf(await find(admin, { search }))).toEqual([received, sent]);
    expect(idsOf(await find(admin, { search: ` ${search.toUpperCase()} ` }))).toEqual([received, sent]);
    expect(idsOf(await find(admin, { search, party: 'recipient' }))).toEqual([sent]);
    expect(idsOf(await find(admin, { search, party: 'sender' }))).toEqual([received]);
    expect(idsOf(await find(admin, { search, sort: 'createdAt' }))).toEqual([sent, received]);
  });

  it('finds what another address led to a mailbox, by the address of the mailbox', async () => {
    const { email } = (await buildMailbox(server.app, { tenant: admin })).user;
    const at = (name: string) => `${name}@${admin.domain.domainName}`;
    const received = { direction: 'in', state: 'stored', reason: 'accepted' } as const;
    const alias = await row(admin, { ...received, recipient: at('help'), expansion: { by: 'alias', to: email } });
    const group = await row(admin, { ...received, recipient: at('team'), expansion: { by: 'group', to: email } });
    const own = await row(admin, { ...received, recipient: email });
    // Within the company, whose domain the recipient has
    const sent = await row(admin, { recipient: at('help'), state: 'stored' });
    await Delivery.update({ expandedBy: 'alias', expandedTo: email }, { where: { id: sent } });
    const all = [sent, own, group, alias];
    for (const as of [admin, provider]) {
      expect(idsOf(await find(as, { search: email.toUpperCase(), party: 'recipient' }))).toEqual(all);
      expect(idsOf(await find(as, { search: email }))).toEqual(all);
      expect(await find(as, { search: email, party: 'sender' })).toEqual([]);
    }
    expect(await find(other, { search: email })).toEqual([]);
    expect(idsOf(await find(admin, { search: email, state: 'stored' }))).toEqual(all);
  });

  it('finds a domain, a Message-ID and a mail id', async () => {
    const host = `${unique()}.example`;
    const one = await row(admin, { recipient: `a@${host}`, mailId: `ID${unique()}` });
    const two = await row(admin, { envelopeFrom: `b@${host}`, direction: 'in' });
    expect(idsOf(await find(admin, { search: host }))).toEqual([two, one]);
    expect(idsOf(await find(admin, { search: `@${host.toUpperCase()}` }))).toEqual([two, one]);
    expect(idsOf(await find(admin, { search: `sub.${host}` }))).toEqual([]);
    const { mail_id: mailId } = await story(admin, one);
    expect(idsOf(await find(admin, { search: mailId }))).toEqual([one]);
    const messageId = `<${unique()}@writer.test>`;
    await storeInbound(ctxOf(), inboundOf(rawMessage({ messageId }), [admin]));
    expect(await find(admin, { search: messageId })).toMatchObject([{ state: 'stored', recipient: admin.user.email }]);
    expect(await find(admin, { search: messageId.slice(1, -1) })).toHaveLength(1);
  });

  it('is narrowed by time and state', async () => {
    const host = `${unique()}.example`;
    const states = ['relayed', 'bounced', 'refused', 'cancelled'] as const;
    const ids: string[] = [];
    for (const [age, state] of states.entries()) {
      const id = await row(admin, { recipient: `a@${host}`, state });
      await Delivery.update({ createdAt: new Date(Date.UTC(2026, 5, 10 - age, 12)) }, { where: { id }, silent: true });
      ids.push(id);
    }
    const search = host;
    expect(idsOf(await find(admin, { search }))).toEqual(ids);
    expect(idsOf(await find(admin, { search, from: '2026-06-09', to: '2026-06-09' }))).toEqual([ids[1]]);
    expect(idsOf(await find(admin, { search, from: '2026-06-10T12:00:00Z' }))).toEqual([ids[0]]);
    expect(idsOf(await find(admin, { search, to: '2026-06-07' }))).toEqual([ids[3]]);
    expect(idsOf(await find(admin, { search, state: 'bounced' }))).toEqual([ids[1]]);
    expect(idsOf(await find(admin, { search, state: 'accepted' }))).toEqual(ids.slice(0, 2));
  });

  it('has pages, and ends at a thousand rows', async () => {
    const host = `${unique()}.example`;
    const entry = { messageId: null, direction: 'out', state: 'relayed', reason: 'remote_accepted' } as const;
    const own = { ...entry, companyId: String(admin.company.id), mailId: unique(), envelopeFrom: admin.user.email };
    await addLedgerRows(
      ctxOf(),
      Array.from({ length: 1005 }, (_, n) => ({ ...own, recipient: `n${n}@${host}` })),
    );
    const { body } = await admin.call('GET', `/trace/get/all?search=${host}&limit=100&page=10`);
    expect(body.pagination).toMatchObject({ totalData: 1000, totalPages: 10, pageNumber: 10 });
    expect((body.data as TracedDto[]).length).toBe(100);
    expect(await find(admin, { search: host, page: '11' })).toEqual([]);
    const first = idsOf(await find(admin, { search: host }));
    const second = idsOf(await find(admin, { search: host, page: '2' }));
    expect(new Set([...first, ...second]).size).toBe(200);
  });

  it.each([
    ['from=2026-06-10&to=2026-06-09'],
    ['from=1970-01-01&to=2200-01-01'],
    ['from=yesterday'],
    ['to=2026-13-40'],
    ['state=lost'],
    ['party=both'],
    ['company_id=0'],
    ['sort=recipient'],
    ['page=0'],
    [`search=${'x'.repeat(201)}`],
  ])('refuses %s', async (query) => {
    expect((await admin.call('GET', `/trace/get/all?${query}`)).status).toBe(422);
  });

  it.each(['%', "a' OR 1=1 --", '@', '@@', '<>', '\u0000', '\u202e@x', '😀', '好@好.好', 'a@b@c'])(
    'finds nothing for %j',
    async (search) => {
      expect(await find(admin, { search })).toEqual([]);
    },
  );
});

describe('all mail of the host', () => {
  it('comes in the order of its index, so that a page of it sorts nothing', async () => {
    await server.app.db.query('ANALYZE TABLE deliveries');
    const watched = explaining(server.app);
    const period = { from: new Date(Date.now() - 86_400_000), to: new Date() };
    await findDeliveries(watched.ctx, { kind: 'host' }, period, { offset: 0, limit: 10 });
    const steps = watched.plans.flat().filter(({ key }) => key === 'deliveries_day');
    expect(steps).toHaveLength(1);
    expect(steps[0]?.Extra).toContain('Using index');
    expect(steps[0]?.Extra).not.toContain('filesort');
  });
});

describe('the other recipients of a message', () => {
  it('are people of a group by their mailboxes, and those that were refused in the same transaction', async () => {
    const [bea, cai] = [
      await buildMailbox(server.app, { tenant: admin }),
      await buildMailbox(server.app, { tenant: admin }),
    ];
    const { address } = await buildGroup(admin, { members: [bea, cai] });
    const members = await resolveRecipient(ctxOf(), address);
    if (members.kind !== 'group') throw new Error('no group');
    const { messageId } = await storeInbound(ctxOf(), {
      ...inboundOf(rawMessage(), [bea, cai]),
      recipients: members.members,
    });
    const stored = await Delivery.findAll({ where: { messageId }, order: [['id', 'ASC']] });
    const mailId = stored[0]?.mailId ?? '';
    const refusal = { direction: 'in', state: 'refused', reason: 'unknown_recipient', mailId } as const;
    const refused = await row(admin, { ...refusal, recipient: `no@${admin.domain.domainName}` });
    await row(other, { ...refusal, recipient: `no@${other.domain.domainName}` });
    const [first, second] = stored.map(({ id }) => String(id));
    expect((await story(admin, first ?? '')).companions).toMatchObject([
      { _id: second, recipient: address, expanded_to: stored[1]?.expandedTo },
      { _id: refused, recipient: `no@${admin.domain.domainName}`, state: 'refused', expanded_to: null },
    ]);
    expect((await story(admin, refused)).companions.map(({ _id }) => _id)).toEqual([first, second]);
    expect((await story(provider, first ?? '')).companions).toHaveLength(3);
  });
});

describe('the borders of a company', () => {
  it('are those of the ledger, and the provider sees all', async () => {
    const host = `${unique()}.example`;
    const [mine, theirs] = [await row(admin, { recipient: `a@${host}` }), await row(other, { recipient: `a@${host}` })];
    const nobodys = await row(admin, { companyId: null, direction: 'in', envelopeFrom: `b@${host}`, state: 'refused' });
    expect(idsOf(await find(admin, { search: host }))).toEqual([mine]);
    expect(idsOf(await find(other, { search: `a@${host}` }))).toEqual([theirs]);
    expect(idsOf(await find(provider, { search: host }))).toEqual([nobodys, theirs, mine]);
    expect(await find(admin, { search: host, company_id: String(other.company.id) })).toEqual([]);
    expect(idsOf(await find(provider, { search: host, company_id: String(other.company.id) }))).toEqual([theirs]);
    for (const id of [theirs, nobodys]) expect((await admin.call('GET', `/trace/get/${id}`)).status).toBe(404);
    expect((await admin.call('GET', '/trace/get/none')).status).toBe(422);
    expect((await find(admin, {})).every(({ company_id }) => company_id?._id === String(admin.company.id))).toBe(true);
  });

  it('show a company what it received from another one of this host, and no other recipient', async () => {
    const colleague = await buildMailbox(server.app, { tenant: admin });
    const third = await buildMailbox(server.app);
    const group = await buildGroup(other, { members: [other] });
    const outside = `z@${unique()}.example`;
    const rows = await send(colleague, [other.user.email, outside], [third.user.email, group.address]);
    const [toOther, toThird] = [rows.get(other.user.email) ?? '', rows.get(third.user.email) ?? ''];
    const search = colleague.user.email;
    // Before it is delivered, it is the sender's alone
    expect(await find(other, { search })).toEqual([]);
    const delivered = {
      state: 'stored',
      reason: 'stored_locally',
      lastReply: 'host: 250 stored',
      attempts: 3,
    } as const;
    await Delivery.update({ ...delivered, forwardedFor: colleague.user.email }, { where: { id: [toOther, toThird] } });
    const found = await find(other, { search });
    expect(found).toEqual([
      {
        _id: toOther,
        direction: 'out',
        sender: colleague.user.email,
        recipient: other.user.email,
        state: 'stored',
        reason: 'stored_locally',
        attempts: 0,
        answers: 1,
        expanded_by: null,
        forwarded_for: null,
        company_id: null,
        createdAt: found[0]?.createdAt,
      },
    ]);
    expect(idsOf(await find(other, { search: other.user.email, party: 'recipient' }))).toEqual([toOther]);
    expect(idsOf(await find(other, { search: other.domain.domainName }))).toContain(toOther);
    expect(idsOf(await find(other, {}))).toContain(toOther);
    expect(await find(other, { search: third.user.email })).toEqual([]);
    expect(await find(other, { search: outside })).toEqual([]);
    const seen = await story(other, toOther);
    expect(seen).toMatchObject({ is_received: true, companions: [], company_id: null, arrival: null, attempts: 0 });
    const text = JSON.stringify(seen);
    for (const hidden of [third.user.email, outside, group.address]) expect(text).not.toContain(hidden);
    const bcc = {
      messageId: seen.message_id ?? '',
      count: (await find(other, { search: seen.message_id ?? '' })).length,
    };
    expect(bcc.count).toBe(1);
    expect((await other.call('GET', `/trace/get/${toThird}`)).status).toBe(404);
    // The sender's company sees all of them
    expect((await story(admin, toOther)).companions.map(({ recipient }) => recipient).toSorted()).toEqual(
      [third.user.email, outside, group.address].toSorted(),
    );
    // What a domain received before the company had it was another one's
    await other.domain.update({ verifiedAt: new Date(Date.now() + 60_000) });
    expect(await find(other, { search })).toEqual([]);
    expect((await other.call('GET', `/trace/get/${toOther}`)).status).toBe(404);
    await other.domain.update({ verifiedAt: new Date(Date.now() - 60_000) });
  });

  it('are the same with several hundred domains, of which the last is as good as the first', async () => {
    const large = await buildAdministrator(server);
    const companyId = String(large.company.id);
    const names = Array.from({ length: 300 }, (_, n) => `d${n}-${unique()}.example`);
    const verifiedAt = new Date(Date.now() - 60_000);
    await Domain.bulkCreate(names.map((domainName) => ({ companyId, domainName, verifiedAt })));
    const last = names.at(-1) ?? '';
    const received = await row(admin, { recipient: `a@${last}`, state: 'stored', reason: 'stored_locally' });
    expect(idsOf(await find(large, {}))).toEqual([received]);
    for (const search of [`a@${last}`, last]) expect(idsOf(await find(large, { search }))).toEqual([received]);
    expect(await story(large, received)).toMatchObject({ is_received: true, company_id: null });
    // Its own person wrote to an alias there
    const mailbox = `b@${last}`;
    const sent = await row(large, { recipient: `help@${last}`, state: 'stored' });
    await Delivery.update({ expandedBy: 'alias', expandedTo: mailbox }, { where: { id: sent } });
    expect(await story(large, sent)).toMatchObject({ is_received: false, expanded_to: mailbox });
    expect(idsOf(await find(large, { search: mailbox }))).toEqual([sent]);
  });

  it('hide how a neighbour sent its mail, beside a message as well, and whom its addresses lead to', async () => {
    const [first, second] = [await buildMailbox(server.app, { tenant: other }), other];
    const rows = await send(admin, [first.user.email, second.user.email]);
    const ids = [...rows.values()];
    const mailbox = second.user.email;
    await Delivery.update({ state: 'stored', forwardedFor: admin.user.email }, { where: { id: ids } });
    await Delivery.update({ expandedBy: 'alias', expandedTo: mailbox }, { where: { id: ids } });
    const companion = { recipient: mailbox, state: 'stored', direction: 'out', answers: 1, _id: rows.get(mailbox) };
    const id = rows.get(first.user.email) ?? '';
    const theirs = await story(other, id);
    expect(theirs.companions).toEqual([{ ...companion, expanded_to: mailbox, forwarded_for: null }]);
    expect(theirs).toMatchObject({ forwarded_for: null, expanded_by: 'alias', expanded_to: mailbox });
    const sent = await story(admin, id);
    expect(sent.companions).toEqual([{ ...companion, expanded_to: null, forwarded_for: admin.user.email }]);
    expect(sent).toMatchObject({ forwarded_for: admin.user.email, expanded_by: null, expanded_to: null });
    const [listed] = await find(admin, { search: mailbox, party: 'recipient' });
    expect(listed).toMatchObject({ forwarded_for: admin.user.email, expanded_by: null });
    // So a search for the mailbox of a neighbour's alias finds nothing either
    const alias = await row(admin, { recipient: `help@${other.domain.domainName}`, state: 'stored' });
    await Delivery.update({ expandedBy: 'alias', expandedTo: other.user.email }, { where: { id: alias } });
    expect(idsOf(await find(admin, { search: other.user.email }))).not.toContain(alias);
    expect(idsOf(await find(other, { search: other.user.email }))).toContain(alias);
    // The provider is told all of it
    expect(await story(provider, id)).toMatchObject({ forwarded_for: admin.user.email, expanded_to: mailbox });
  });

  it('ask for the right to see the audit trail', async () => {
    const user = await buildAdministrator(server, { tenant: admin, roleNumber: builtInRole.user });
    expect((await user.call('GET', '/trace/get/all')).status).toBe(403);
    expect((await user.call('GET', `/trace/get/${await row(admin)}`)).status).toBe(403);
  });
});

describe('the story of a message', () => {
  it('tells how it arrived, what was checked and what sorted it', async () => {
    const authentication = {
      spf: { result: 'pass', domain: 'sender.test' },
      dkim: [{ result: 'fail', domain: 'sender.test', selector: 's' }],
      dmarc: { result: 'fail', policy: 'quarantine' as const, domain: 'sender.test' },
      arc: null,
      header: '',
      temporaryFailure: false,
    };
    const received = `Received: from mx.sender.test ([192.0.2.1])\r\n\tby host.test with ESMTPS id x1 (TLSv1.3);\r\n\tdate\r\n`;
    const messageId = `<${unique()}@writer.test>`;
    const input = inboundOf(rawMessage({ messageId }), [admin]);
    await storeInbound(ctxOf(), { ...input, authentication, traceHeaders: received, isJunk: true });
    const [found] = await find(admin, { search: messageId });
    expect(await story(admin, found?._id ?? '')).toMatchObject({
      state: 'stored',
      message_id: messageId,
      header_from: 'bea@sender.test',
      arrival: { helo: 'mx.sender.test', address: '192.0.2.1', protocol: 'ESMTPS', encrypted: true, tls: 'TLSv1.3' },
      checks: {
        spf: { result: 'pass', domain: 'sender.test' },
        dkim: [{ result: 'fail', domain: 'sender.test' }],
        dmarc: { result: 'fail', policy: 'quarantine' },
      },
      placement: { by: 'dmarc', folder: 'junk' },
      past: [],
    });
  });

  it('goes on after its owner has deleted the message for good, and is still found by the Message-ID', async () => {
    const authentication = {
      spf: { result: 'pass', domain: 'sender.test' },
      dkim: [{ result: 'pass', domain: 'sender.test', selector: 's' }],
      dmarc: { result: 'fail', policy: 'quarantine' as const, domain: 'sender.test' },
      arc: null,
      header: '',
      temporaryFailure: false,
    };
    const traceHeaders = `Received: from mx.sender.test ([192.0.2.1])\r\n\tby host.test with ESMTPS id x1 (TLSv1.3);\r\n\tdate\r\n`;
    const messageId = `<${unique()}@Writer.test>`;
    const input = { ...inboundOf(rawMessage({ messageId }), [admin]), authentication, traceHeaders, isJunk: true };
    const stored = await storeInbound(ctxOf(), input);
    const [found] = await find(admin, { search: messageId });
    const before = await story(admin, found?._id ?? '');
    await deleteForGood(admin, stored.messageId);
    expect(await find(admin, { search: messageId })).toEqual([found]);
    expect(idsOf(await find(admin, { search: messageId.slice(1, -1).toUpperCase() }))).toEqual([found?._id]);
    const after = await story(admin, found?._id ?? '');
    expect(after).toMatchObject({ message_id: null, size: null, header_from: null });
    const { arrival, checks, placement } = after;
    expect({ arrival, checks, placement }).toEqual({
      arrival: before.arrival,
      checks: before.checks,
      placement: { by: 'dmarc', folder: 'junk' },
    });
    expect(arrival).toMatchObject({ helo: 'mx.sender.test', tls: 'TLSv1.3' });
    expect(await find(other, { search: messageId })).toEqual([]);
  });

  it('is told by the message where the row is from before it had the facts itself', async () => {
    const traceHeaders = 'Received: from mx.old.test ([192.0.2.9])\r\n\tby host.test with ESMTP id x1;\r\n\tdate\r\n';
    const messageId = `<${unique()}@writer.test>`;
    const input = { ...inboundOf(rawMessage({ messageId }), [admin]), traceHeaders, isJunk: true };
    const stored = await storeInbound(ctxOf(), input);
    await Delivery.update({ facts: null, messageIdHash: null }, { where: { messageId: stored.messageId } });
    const [found] = await find(admin, { search: messageId });
    expect(await story(admin, found?._id ?? '')).toMatchObject({
      arrival: { helo: 'mx.old.test', encrypted: false },
      placement: { by: 'dmarc', folder: 'junk' },
    });
  });

  it('of a refusal says how it was offered and what was checked, found by the Message-ID', async () => {
    const messageIdHeader = `<${unique()}@forged.test>`;
    const arrival = { helo: 'mx\u202egnp.test', address: '192.0.2.4', protocol: 'SMTP', isEncrypted: false, tls: null };
    const checks = {
      spf: { result: 'softfail', domain: 'forged.test' },
      dkim: [],
      dmarc: { result: 'fail', policy: 'reject' as const },
    };
    const refused = { state: 'refused', reason: 'dmarc_reject', direction: 'in', messageIdHeader } as const;
    const id = await row(admin, { ...refused, facts: { arrival, checks, placement: null } });
    expect(idsOf(await find(admin, { search: messageIdHeader }))).toEqual([id]);
    expect(await story(admin, id)).toMatchObject({
      arrival: { helo: String.raw`mx\u202egnp.test`, address: '192.0.2.4', encrypted: false },
      checks,
    });
  });

  it('of sent mail says by which door it came, after the message is gone', async () => {
    const rows = await send(admin, [`gone@${unique()}.example`]);
    const [id = ''] = [...rows.values()];
    const { message_id: messageId } = await story(admin, id);
    const sent = await Delivery.findByPk(id);
    await Delivery.update({ state: 'relayed' }, { where: { id } });
    await deleteForGood(admin, sent?.messageId ?? '');
    expect(await story(admin, id)).toMatchObject({ arrival: { protocol: 'HTTPS', encrypted: true }, message_id: null });
    expect(idsOf(await find(admin, { search: messageId ?? '' }))).toEqual([id]);
  });

  it('keeps each attempt with the words of the remote server, shown safely', async () => {
    const rows = await send(admin, [`slow@${unique()}.example`]);
    const [id = ''] = [...rows.values()];
    const hostile = '=cmd|"/c calc"\r\n\u202egnp\u0000<script>';
    for (const [words, tls] of [
      [hostile, undefined],
      ['451 4.7.1 greylisted', { state: 'encrypted', protocol: 'TLSv1.3' }],
    ] as const) {
      await Delivery.update({ nextAttemptAt: new Date(Date.now() - 1000) }, { where: { id } });
      const delivery = await claimOne(ctxOf(), id);
      if (!delivery) throw new Error('it was not due');
      const result = {
        kind: 'deferred',
        reason: 'remote_deferred',
        lastReply: words,
        remoteHost: 'mx.test',
        tls,
      } as const;
      await recordAttempts(ctxOf(), [{ delivery, result }]);
    }
    const found = await story(admin, id);
    expect(found.past).toMatchObject([
      { reason: 'remote_deferred', reply: String.raw`=cmd|"/c calc"\u000d\u000a\u202egnp\u0000<script>`, tls: null },
      { reply: '451 4.7.1 greylisted', remote_host: 'mx.test', tls: 'encrypted', tls_protocol: 'TLSv1.3' },
    ]);
    expect(found).toMatchObject({
      state: 'queued',
      attempts: 2,
      is_sending: false,
      last: { reply: found.past[1]?.reply },
    });
    expect(found.arrival).toMatchObject({ protocol: 'HTTPS', address: null });
    await Delivery.destroy({ where: { id } });
    expect((await admin.call('GET', `/trace/get/${id}`)).status).toBe(404);
  });
});
