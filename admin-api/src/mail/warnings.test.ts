import type { EmailDto } from '@selvage/core/contracts/email';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import { changeRows, readRows } from '@selvage/core/database/run-sql';
import { findSimilarCorrespondent, noteEarlierLooks } from '@selvage/core/directory/correspondent-looks';
import { findNamed, forgetCorrespondent, noteCorrespondents } from '@selvage/core/directory/correspondents';
import { domainOf } from '@selvage/core/mail/address-rules';
import { looksOf } from '@selvage/core/mail/alike-domains';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { Domain } from '@selvage/core/models/domain';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { Message } from '@selvage/core/models/message';
import { randomBytes, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { explaining } from '../../../tests/support/explain.ts';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { hasEarlierMail } from '@selvage/core/mailstore/known-sender';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let ana: Mailbox;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
  ana = await buildMailbox(server.app);
  ({ token } = await server.signIn(ana.user.email, ana.password));
});

interface Letter {
  from?: string;
  headers?: string[];
  html?: string;
  dmarc?: string;
  dkim?: string;
  to?: Mailbox;
  arrivedAt?: Date;
}

const stranger = () => `s${randomBytes(4).toString('hex')}@remote.example`;

/** Stores a letter and opens it; gives the codes of its warnings. */
async function warned(letter: Letter): Promise<string[]> {
  const { to } = letter;
  const as = to ? (await server.signIn(to.user.email, to.password)).token : token;
  return (await open(await store(letter), as)).warnings.map(({ code }) => code);
}

async function store({
  from = stranger(),
  headers = [],
  html = '<p>x</p>',
  dmarc = 'pass',
  dkim = 'pass',
  to = ana,
  arrivedAt,
}: Letter) {
  const lines = [`From: ${from}`, `To: ${to.user.email}`, `Subject: ${randomUUID()}`, 'MIME-Version: 1.0', ...headers];
  const raw = [...lines, 'Content-Type: text/html; charset=utf-8', '', html, ''].join('\r\n');
  const domain = 'remote.example';
  const { entryIds } = await storeInbound(systemContext(server.app), {
    raw: Buffer.from(raw),
    envelopeFrom: 'bounce@remote.example',
    recipients: [{ userId: String(to.user.id), companyId: String(to.company.id), address: to.user.email }],
    client: { address: '192.0.2.1', helo: 'remote.test', tls: false },
    authentication: {
      spf: { result: 'none', domain: null },
      dkim: [{ result: dkim, domain, selector: 's' }],
      dmarc: { result: dmarc, policy: null, domain },
      arc: null,
      header: '',
      temporaryFailure: false,
    },
    traceHeaders: '',
    mailId: randomUUID(),
  });
  const id = entryIds[0] ?? '';
  if (arrivedAt) await MailboxEntry.update({ arrivedAt }, { where: { id } });
  return id;
}

/** Notes that a person has written to people. */
async function wroteTo(of: Mailbox, ...people: { name: string; address: string }[]): Promise<void> {
  const owner = { userId: String(of.user.id), companyId: String(of.company.id) };
  await inTransaction(systemContext(server.app), (tx) =>
    noteCorrespondents(tx, [{ ...owner, people, at: new Date() }]),
  );
}

/** Eight letters: as many texts as there are numbers of 32 bits, so that none comes twice. */
const unique = () =>
  randomBytes(4)
    .toString('hex')
    .replaceAll(/\d/g, (digit) => 'ghjkmnpqrt'.charAt(Number(digit)));

async function open(id: string, as = token): Promise<EmailDto> {
  const { status, body } = await server.call('GET', `/mail/get/${id}`, { token: as });
  expect(status).toBe(200);
  return body.data as EmailDto;
}

describe('the warnings of a message', () => {
  it('have a sign at a folded message of a conversation, where its check has failed', async () => {
    const thread = 'References: <folded@remote.example>';
    const ids = [
      await store({ headers: [thread], dmarc: 'fail' }),
      await store({ headers: [thread, 'List-Id: <knit.remote.example>'], dmarc: 'fail' }),
      await store({ headers: [thread, 'List-Id: <knit.remote.example>'], dmarc: 'fail', dkim: 'fail' }),
    ];
    const last = await open(await store({ headers: [thread] }));
    const failed = last.replies.filter((reply) => reply.has_failed_check).map(({ _id }) => _id);
    expect([last.has_failed_check, failed]).toEqual([false, [ids[0], ids[2]]]);
  });

  it('judge the senders of folded messages, the newest ten of a conversation', async () => {
    const fields = { fname: 'Ines', lname: `Vidal${randomBytes(3).toString('hex')}` };
    const { user } = await buildMailbox(server.app, { tenant: ana, user: fields });
    const thread = ['References: <doubted@remote.example>'];
    const asColleague = () => store({ headers: thread, from: `${user.fname} ${user.lname} <${stranger()}>` });
    const domainName = `${randomBytes(4).toString('hex')}wool.example`;
    await Domain.create({ companyId: String(ana.company.id), domainName, verifiedAt: new Date() });
    const tooOld = await asColleague();
    const inName = await asColleague();
    const similar = await store({ headers: thread, from: `a@${domainName.replace('wool', 'w0ol')}` });
    const failed = await store({ headers: thread, dmarc: 'fail', dkim: 'fail' });
    const byList = await store({ headers: [...thread, 'List-Id: <knit.remote.example>'], dmarc: 'fail' });
    for (let more = 0; more < 6; more += 1) await store({ headers: thread });
    const { replies } = await open(await store({ headers: thread }));
    const doubts = new Map(replies.map(({ _id, doubt }) => [_id, doubt?.code ?? null]));
    expect([tooOld, inName, similar, failed, byList].map((id) => doubts.get(id))).toEqual([
      null,
      'name_of_colleague',
      'similar_domain',
      'not_from_sender',
      null,
    ]);
    expect([...doubts.values()].filter(Boolean)).toHaveLength(3);
  });

  it('doubt a stranger who answers what the reader wrote to another person', async () => {
    const fields = { fname: 'Otto', lname: `Weber${randomBytes(3).toString('hex')}` };
    const { user } = await buildMailbox(server.app, { tenant: ana, user: fields });
    const form = new FormData();
    form.append('recipient_emails_to[]', 'partner@remote.example');
    form.append('subject', 'To a partner');
    const sent = await server.call('POST', '/mail/send', { token, body: form });
    const { message_id } = await open((sent.body.data as { _id: string })._id);
    const headers = [`References: ${message_id}`];
    expect(await warned({ headers, from: 'Partner <partner@remote.example>' })).toEqual([]);
    expect(await warned({ headers, from: stranger() })).toEqual([]);
    expect(await warned({ headers, from: `${user.fname} ${user.lname} <${stranger()}>` })).toEqual([
      'name_of_colleague',
    ]);
  });

  it('say that a sender is new, until there is earlier mail from the same sender', async () => {
    const from = stranger();
    const other = await buildMailbox(server.app, { tenant: ana });
    await store({ from, to: other });
    const first = await store({ from });
    expect((await open(first)).warnings).toEqual([{ code: 'first_message', claimed: null, actual: null }]);
    expect(await warned({ from })).toEqual([]);
    expect((await open(first)).warnings).toHaveLength(1);
  });

  it('never call a sender new whom the reader has written to, whatever of the conversation is asked for', async () => {
    const asked = stranger();
    const body = { recipient_emails_to: [`Dana Reed <${asked.toUpperCase()}>`], subject: 'Offer', body: '<p>x</p>' };
    const sent = await server.call('POST', '/mail/send', { token, body });
    const sentId = (sent.body.data as { _id: string })._id;
    const messageId = (await MailboxEntry.findByPk(sentId))?.messageId;
    const { messageIdHeader } = (await Message.findByPk(messageId)) as Message;
    const headers = [`In-Reply-To: ${messageIdHeader}`];
    const answer = await store({ headers, from: asked });
    const codes = async (id: string, query: string) => {
      const { body: opened } = await server.call('GET', `/mail/get/${id}${query}`, { token });
      return (opened.data as EmailDto).warnings.map(({ code }) => code);
    };
    expect([await codes(answer, ''), await codes(answer, '?replies=0')]).toEqual([[], []]);
    // A stranger may have read what the reader wrote, and answer it
    const intruder = await store({ headers, from: stranger() });
    expect(await codes(intruder, '?replies=0')).toEqual(['first_message']);
  });

  it('name a failed check, but not of a mailing list that changes messages', async () => {
    const failed = { dmarc: 'fail', dkim: 'fail' };
    expect(await warned(failed)).toEqual(['not_from_sender']);
    const list = ['List-Id: Weavers <weavers.lists.example>'];
    expect(await warned({ dmarc: 'fail', headers: list })).toEqual([]);
    // What any sender can write without proof changes nothing
    expect(await warned({ ...failed, headers: list })).toEqual(['not_from_sender']);
    expect(await warned({ ...failed, headers: [...list, ...list] })).toEqual(['not_from_sender']);
  });

  it('name a message that has the name of a person and no address of a sender', async () => {
    const fields = { fname: 'Nia', lname: `Okoro${randomBytes(3).toString('hex')}` };
    await buildMailbox(server.app, { tenant: ana, user: fields });
    const name = `${fields.fname} ${fields.lname}`;
    expect(await warned({ from: `${name} <>`, dmarc: 'none' })).toEqual(['name_without_address']);
    for (const from of ['<>', 'Mail Delivery Subsystem <>']) expect(await warned({ from, dmarc: 'none' })).toEqual([]);
    const headers = [`References: <${randomUUID()}@remote.example>`];
    const folded = await store({ headers, from: `${name} <>`, dmarc: 'none' });
    const { replies } = await open(await store({ headers }));
    expect(replies.find(({ _id }) => _id === folded)?.doubt?.code).toBe('name_without_address');
  });

  it('name a stranger with the name of a colleague, but not the colleague’s own other address', async () => {
    const recovery = stranger();
    const fields = { fname: 'Mira', lname: `Novak${randomBytes(3).toString('hex')}`, confirmedRecoveryEmail: recovery };
    const { user } = await buildMailbox(server.app, { tenant: ana, user: fields });
    const name = `${user.fname} ${user.lname}`;
    expect(await warned({ from: `${name} <${stranger()}>` })).toEqual(['name_of_colleague']);
    expect(await warned({ from: `"${user.lname}, ${user.fname}" <${stranger()}>` })).toEqual(['name_of_colleague']);
    expect(await warned({ from: `${name} <${recovery}>` })).toEqual(['first_message']);
    expect(await warned({ from: `${user.fname} <${stranger()}>` })).toEqual(['first_message']);
    const elsewhere = await buildMailbox(server.app, { user: { fname: 'Tessa', lname: 'Faraway' } });
    expect(elsewhere.user.companyId).not.toBe(ana.user.companyId);
    expect(await warned({ from: `Tessa Faraway <${stranger()}>` })).toEqual(['first_message']);
  });

  it('name a domain that looks like the company’s, but no other company’s', async () => {
    const domainName = `${randomBytes(4).toString('hex')}wool.example`;
    await Domain.create({ companyId: String(ana.company.id), domainName, verifiedAt: new Date() });
    const similar = domainName.replace('wool', 'w0ol');
    expect(await warned({ from: `a@${similar}` })).toEqual(['similar_domain']);
    expect((await open(await store({ from: `b@${similar}` }))).warnings[0]).toMatchObject({ claimed: domainName });
    const other = await buildMailbox(server.app);
    expect(await warned({ from: `a@${other.domain.domainName.replace('.test', '.tеst')}` })).not.toContain(
      'similar_domain',
    );
  });

  it('name a domain that may be taken for one that the reader writes to', async () => {
    const site = `${unique()}wool.example`;
    await wroteTo(ana, { name: 'Priya Raman', address: `priya@mail.${site}` });
    const alike = site.replace('wool', 'w0ol');
    const id = await store({ from: `a@${alike}` });
    expect((await open(id)).warnings).toEqual([{ code: 'similar_correspondent', claimed: site, actual: alike }]);
    const inWords = site.replace('.', '-billing.');
    for (const host of [site.replace('wool', 'woool'), site.replace('wool', '-wool'), inWords, `${site}.evil.test`]) {
      expect({ host, codes: await warned({ from: `a@${host}` }) }).toEqual({ host, codes: ['similar_correspondent'] });
    }
    // That a stranger has written before makes them no better known
    expect(await warned({ from: `a@${alike}` })).toEqual(['similar_correspondent']);
    for (const host of [site, `news.${site}`, `x${unique()}.example`]) {
      expect({ host, codes: await warned({ from: `new@${host}` }) }).toEqual({ host, codes: ['first_message'] });
    }
    // Only their own correspondents tell a person anything of a domain
    const other = await buildMailbox(server.app, { tenant: ana });
    expect(await warned({ from: `b@${alike}`, to: other })).toEqual(['first_message']);
  });

  it('doubt no domain that the reader writes to as well, or has had proved mail from over time', async () => {
    const [site, other] = [`${unique()}wool.example`, `${unique()}yarn.example`];
    await wroteTo(ana, { name: '', address: `a@${site}` }, { name: '', address: `a@${other}` });
    const [written, received] = [site.replace('wool', 'wools'), other.replace('.example', '.test')];
    await wroteTo(ana, { name: '', address: `b@${written}` });
    expect(await warned({ from: `c@${written}` })).toEqual(['first_message']);
    const longAgo = new Date(Date.now() - 30 * 86_400_000);
    await store({ from: `d@${received}`, dmarc: 'none', arrivedAt: longAgo });
    await store({ from: `d@${received}` });
    expect(await warned({ from: `e@${received}` })).toEqual(['similar_correspondent']);
    await store({ from: `d@mail.${received}`, arrivedAt: longAgo });
    expect(await warned({ from: `e@${received}` })).toEqual([]);
    expect(await warned({ from: `f@${received}` })).toEqual(['first_message']);
  });

  it('forget a domain with its last address, and learn those that were noted before', async () => {
    const site = `${unique()}wool.example`;
    const from = `a@${site.replace('wool', 'w0ol')}`;
    await wroteTo(ana, { name: '', address: `a@${site}` }, { name: '', address: `b@${site}` });
    const ctx = systemContext(server.app);
    await forgetCorrespondent(ctx, String(ana.user.id), `a@${site}`);
    expect(await warned({ from })).toEqual(['similar_correspondent']);
    await forgetCorrespondent(ctx, String(ana.user.id), `b@${site}`);
    expect(await warned({ from: `c@${domainOf(from)}` })).toEqual(['first_message']);
    const late = await buildMailbox(server.app);
    await wroteTo(late, { name: '', address: `a@${site}` });
    const owner = [String(late.user.id)];
    await changeRows(ctx, 'DELETE FROM correspondent_looks WHERE user_id = ?', owner);
    expect(await warned({ from, to: late })).toEqual(['first_message']);
    const [row] = await readRows<{ id: string }>(ctx, 'SELECT id FROM correspondents WHERE user_id = ?', owner);
    const id = Number(row?.id);
    expect(await noteEarlierLooks(ctx, `${id - 1}/${id}`)).toBe(`${id}/${id}`);
    expect(await noteEarlierLooks(ctx, `${id}/${id}`)).toBe(null);
    expect(await warned({ from, to: late })).toEqual(['similar_correspondent']);
  });

  it('name a stranger with the name of a person whom the reader writes to elsewhere', async () => {
    const family = `Raman${unique()}`;
    const [site, friend] = [`${unique()}mill.example`, `${unique()}loom.example`];
    const known = `priya@${site}`;
    await wroteTo(ana, { name: `Priya ${family}`, address: known }, { name: '', address: `x@${friend}` });
    await wroteTo(ana, { name: `${family} Support`, address: `desk@${site}` });
    const id = await store({ from: `Priya ${family} <x@evil.test>` });
    const warning = { code: 'name_of_correspondent', claimed: known, actual: 'x@evil.test' };
    expect((await open(id)).warnings).toEqual([warning]);
    expect(await warned({ from: `"${family}, Prіyа" <${unique()}@evil.test>` })).toEqual(['name_of_correspondent']);
    expect(await warned({ from: `"PRIYA ${family}" <${unique()}@gmail.com>` })).toEqual(['name_of_correspondent']);
    for (const from of [
      `Priya ${family} <other@${site}>`,
      `Priya ${family} <p@mail.${site}>`,
      `Priya ${family} <p@${friend}>`,
      `Priya <${unique()}@evil.test>`,
      `Priya ${unique()} <${unique()}@evil.test>`,
      `${family} Support <${unique()}@evil.test>`,
    ]) {
      expect({ from, codes: await warned({ from }) }).toEqual({ from, codes: ['first_message'] });
    }
  });

  it('find a look-alike and a namesake among fifty thousand by an index', { timeout: 120_000 }, async () => {
    const big = await buildMailbox(server.app);
    const userId = String(big.user.id);
    const people = Array.from({ length: 50_000 }, (_, at) => ({
      name: `Person N${at}`,
      address: `p${at}@wool${at.toString(26).replaceAll(/\d/g, 'x')}${unique()}.example`,
    }));
    for (let at = 0; at < people.length; at += 2000) await wroteTo(big, ...people.slice(at, at + 2000));
    const known = people[31_007]?.address.split('@')[1] ?? '';
    const { ctx, plans } = explaining(server.app);
    expect(looksOf(known).length).toBeLessThan(6);
    const times: number[] = [];
    for (const domain of [known.replace('wool', 'w0ol'), known.replace('ool', 'oool'), 'woolworks.example']) {
      const runs: number[] = [];
      for (let run = 0; run < 7; run += 1) {
        const startedAt = performance.now();
        const found = await findSimilarCorrespondent(systemContext(server.app), userId, domain);
        runs.push(performance.now() - startedAt);
        expect(found).toBe(domain === 'woolworks.example' ? null : known);
      }
      times.push(Number(runs.toSorted((one, other) => one - other)[3]?.toFixed(1)));
    }
    process.stdout.write(`look-alikes among 50,000: ${times.join(', ')} ms\n`);
    await findSimilarCorrespondent(ctx, userId, 'woolworks.example');
    expect(await findNamed(ctx, userId, 'N4711 Person')).toEqual([people[4711]?.address]);
    const keys = new Set(plans.flat().flatMap(({ table, key }) => (table.startsWith('<') ? [] : [key])));
    expect([...keys]).toEqual(['PRIMARY']);
  });

  it('name a lying link, and an answer that goes astray', async () => {
    const html = '<a href="https://evil.example.com/">https://www.bank.com/</a>';
    expect(await warned({ html })).toEqual(['link_elsewhere']);
    const headers = ['Reply-To: Boss <boss@gmail.com>'];
    expect(await warned({ headers, dmarc: 'none' })).toEqual(['reply_elsewhere']);
    expect(await warned({ headers })).toEqual(['first_message']);
  });

  it('are looked up by indexes, however much mail there is', async () => {
    const { ctx, plans } = explaining(server.app);
    await store({ from: 'many@remote.example' });
    const facts = { userId: String(ana.user.id), messageId: '999999', address: 'many@remote.example' };
    expect(await hasEarlierMail(ctx, facts)).toBe(true);
    const steps = plans.flat().filter(({ table }) => table === 'messages' || table === 'e');
    expect(steps.map(({ key }) => key).toSorted()).toEqual(['entries_message', 'messages_from']);
  });
});
