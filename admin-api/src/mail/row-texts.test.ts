import { randomUUID } from 'node:crypto';
import { type Ctx, systemContext } from '@selvage/core/context/context';
import type { DraftRowDto } from '@selvage/core/contracts/drafts';
import { type EmailDto, type EmailRowDto, mostInRow } from '@selvage/core/contracts/email';
import { builtInRole } from '@selvage/core/contracts/permissions';
import type { SearchRowDto } from '@selvage/core/contracts/search';
import { workOnCopy } from '@selvage/core/mailstore/copy-mailbox';
import { storeInbound } from '@selvage/core/mailstore/store-message';
import { inboundOf } from '@selvage/core/mailstore/test-messages';
import { Draft } from '@selvage/core/models/draft';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildCompany, buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { until } from '../../../tests/support/until.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let ctx: Ctx;
let ana: Mailbox;
let token: string;

const rowsOfPage = 50;
const mostBytesOfPage = 500_000;
const many = 360;

/** Long in characters, in bytes, and once more with its escapes. */
const quotes = (length: number): string => `"${String.raw`\"`.repeat(length)}"`;
const hostile = (index: number): string => `${quotes(120)} <${index}${'東'.repeat(80)}@x.test>`;
const words = 'bobbin東 '.repeat(40);
const fileName = `bobbin ${'東'.repeat(70)}.txt`;

/** As long in its texts as a message may be that gets through the door. */
function longestMessage(index: number): Buffer {
  const people = Array.from({ length: many }, (_, at) => hostile(at));
  const lines = [
    `From: ${quotes(120)} <from${index}${'東'.repeat(80)}@x.test>`,
    `To: ${people.slice(0, 180).join(',\r\n ')}`,
    `Cc: ${people.slice(180).join(',\r\n ')}`,
    `Subject: ${words.trim()}`,
    `Message-ID: <${randomUUID()}@x.test>`,
    `References: <${index % 2 === 0 ? 'root' : 'other'}-${Math.floor(index / 4)}@x.test>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/mixed; boundary=edge',
  ];
  const files = Array.from({ length: 8 }, () => [
    '--edge',
    `Content-Disposition: attachment; filename="${fileName}"`,
    '',
    'x',
  ]);
  const text = ['--edge', 'Content-Type: text/plain; charset=utf-8', '', words];
  return Buffer.from([...lines, '', ...text, ...files.flat(), '--edge--', ''].join('\r\n'));
}

beforeAll(async () => {
  server = await startTestServer();
  ctx = systemContext(server.app);
  ana = await buildMailbox(server.app);
  ({ token } = await server.signIn(ana.user.email, ana.password));
  for (let index = 0; index < rowsOfPage; index++) {
    await storeInbound(ctx, inboundOf(longestMessage(index), [ana]));
  }
});

async function read<T>(path: string, by = token): Promise<{ data: T; bytes: number }> {
  const answer: Answer = await server.call('GET', path, { token: by });
  expect(answer.status).toBe(200);
  return { data: answer.body.data as T, bytes: Buffer.byteLength(JSON.stringify(answer.body)) };
}

const namedIn = (row: Pick<EmailRowDto, `recipient_emails_${'to' | 'cc' | 'bcc'}`>): number =>
  row.recipient_emails_to.length + row.recipient_emails_cc.length + row.recipient_emails_bcc.length;

describe('a page of the longest messages', () => {
  it.each(['', '&grouped=true'])('of a folder stays small (%s)', async (query) => {
    const { data, bytes } = await read<EmailRowDto[]>(`/mail/get/sent/by_user?limit=${rowsOfPage}${query}`);
    expect(data.length).toBeGreaterThan(20);
    expect(bytes).toBeLessThan((mostBytesOfPage * data.length) / rowsOfPage);
    for (const row of data) {
      expect([row.recipients_count, namedIn(row)]).toEqual([many, mostInRow]);
      expect(row.recipient_emails_to).toHaveLength(mostInRow);
      expect(row.subject).toMatch(/^bobbin東 .*…$/);
    }
  });

  it('of what was found stays small', async () => {
    const path = `/mail/search?q=bobbin*&limit=${rowsOfPage}`;
    const { data, bytes } = await until('all are found', async () => {
      const found = await read<{ rows: SearchRowDto[] }>(path);
      return found.data.rows.length === rowsOfPage ? found : null;
    });
    expect(data.rows[0]?.found_files).toHaveLength(5);
    expect(bytes).toBeLessThan(mostBytesOfPage);
  });

  it('of a backup stays small', async () => {
    const tenant = await buildCompany(server.app);
    const admin = await buildMailbox(server.app, { tenant, roleNumber: builtInRole.admin });
    const owner = await buildMailbox(server.app, { tenant });
    const viewer = await buildMailbox(server.app, { tenant });
    const flags = { canView: true, canCreate: false, canEdit: false, canDelete: true };
    await UserPermission.create({ companyId: tenant.company.id, userId: viewer.user.id, model: 'backup', ...flags });
    for (let index = 0; index < rowsOfPage; index++) {
      await storeInbound(ctx, inboundOf(longestMessage(index), [owner]));
    }
    const giver = await server.signIn(admin.user.email, admin.password);
    const body = { user_id: String(owner.user.id), backup_user_email: viewer.user.email };
    const given = await server.call('PUT', '/mail/backup', { token: giver.token, body });
    await workOnCopy(ctx, (given.body.data as { _id: string })._id);
    const reader = await server.signIn(viewer.user.email, viewer.password);
    const path = `/mail/get/backup?user_email=${encodeURIComponent(owner.user.email)}&limit=${rowsOfPage}`;
    const { data, bytes } = await read<EmailRowDto[]>(path, reader.token);
    expect(data).toHaveLength(rowsOfPage);
    expect(data.map((row) => [row.recipients_count, namedIn(row)])).toEqual(data.map(() => [many, mostInRow]));
    expect(bytes).toBeLessThan(mostBytesOfPage);
  });

  it('of drafts stays small, and a draft itself has all', async () => {
    const people = Array.from({ length: 300 }, (_, index) => hostile(index));
    const bo = await buildMailbox(server.app);
    const draft = { companyId: bo.company.id, userId: bo.user.id, toList: people, ccList: people, bccList: people };
    const texts = { subject: words.trim(), preview: words.slice(0, 255), body: '<p>x</p>' };
    await Draft.bulkCreate(Array.from({ length: rowsOfPage }, () => ({ ...draft, ...texts })));
    const writer = await server.signIn(bo.user.email, bo.password);
    const { data, bytes } = await read<DraftRowDto[]>(`/mail/draft/get?limit=${rowsOfPage}`, writer.token);
    expect(data).toHaveLength(rowsOfPage);
    expect(data.map((row) => [row.recipients_count, namedIn(row)])).toEqual(data.map(() => [900, mostInRow]));
    expect(bytes).toBeLessThan(mostBytesOfPage);
    const whole = await read<DraftRowDto>(`/mail/draft/get/${data[0]?._id}`, writer.token);
    expect(namedIn(whole.data)).toBe(900);
  });
});

describe('a message whose row is cut', () => {
  it('has all of its recipients and texts when it is opened', async () => {
    const { data } = await read<EmailRowDto[]>(`/mail/get/sent/by_user?limit=1`);
    const { data: email } = await read<EmailDto>(`/mail/get/${data[0]?._id}`);
    expect(namedIn(email)).toBe(many);
    expect(email.subject).toBe(words.trim());
    expect(email.sender_name).toBe('"'.repeat(120));
  });
});

describe('the row of a usual message', () => {
  it('has its texts as they are', async () => {
    const bo = await buildMailbox(server.app);
    const to = ['Bo <bo@host.test>', '"Weber, Jonas" <jonas.weber@purchasing.northwind-industries.example>'];
    const subject = 'Delivery of 40/2 Ne on Thursday, and the papers of the lot before';
    const head = ['From: Priya Raman <priya@acme.example>', `To: ${to.join(', ')}`, `Subject: ${subject}`];
    await storeInbound(ctx, inboundOf(Buffer.from([...head, '', 'Text'].join('\r\n')), [bo]));
    const reader = await server.signIn(bo.user.email, bo.password);
    const { data } = await read<EmailRowDto[]>('/mail/get/sent/by_user', reader.token);
    expect(data).toMatchObject([
      { recipient_emails_to: to, recipients_count: 2, subject, sender_name: 'Priya Raman', from: 'Priya Raman' },
    ]);
  });
});
