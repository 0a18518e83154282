import { systemContext } from '@selvage/core/context/context';
import { receive } from '@selvage/core/mailstore/test-messages';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { UserPermission } from '@selvage/core/models/user-permission';
import { beforeAll, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

interface Person {
  mailbox: Mailbox;
  call: (method: string, path: string, body?: unknown) => Promise<Answer>;
}

async function newPerson(): Promise<Person> {
  const mailbox = await buildMailbox(server.app);
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  return {
    mailbox,
    call: (method, path, body) => server.call(method, path, { token, ...(body ? { body } : {}) }),
  };
}

/** Receives so many messages; those of the trash are moved there. */
async function fill({ mailbox, call }: Person, trashed: number, others: number): Promise<void> {
  const ids: string[] = [];
  for (let count = 0; count < trashed + others; count += 1) {
    ids.push(...(await receive(systemContext(server.app), [mailbox])).entryIds);
  }
  const email_id = ids.slice(0, trashed);
  if (trashed > 0) await call('PUT', '/mail/status_change', { email_id, trash_status: true });
}

const leftOf = ({ mailbox }: Person): Promise<number> =>
  MailboxEntry.count({ where: { userId: String(mailbox.user.id), deleteStatus: false } });

it('deletes what is in the trash for good, and nothing else', async () => {
  const ana = await newPerson();
  const ben = await newPerson();
  await fill(ana, 4, 2);
  await fill(ben, 1, 0);
  const emptied = await ana.call('POST', '/mail/empty_trash', {});
  expect(emptied).toMatchObject({ status: 200, body: { data: { removed: 4, is_left: false } } });
  expect([await leftOf(ana), await leftOf(ben)]).toEqual([2, 1]);
  const totals = await ana.call('GET', '/mail/totals');
  expect(totals.body.data).toMatchObject({ inbox: { total: 2 }, trash: { total: 0 } });
  expect(await verifyTotals(systemContext(server.app), String(ana.mailbox.user.id))).toBe(true);
  expect((await ana.call('POST', '/mail/empty_trash', {})).body.data).toMatchObject({ removed: 0, is_left: false });
});

it('leaves what comes into the trash between two of its calls', async () => {
  const ana = await newPerson();
  await fill(ana, 1, 0);
  const { until } = (await ana.call('POST', '/mail/empty_trash', {})).body.data as { until: string };
  await fill(ana, 2, 0);
  expect((await ana.call('POST', '/mail/empty_trash', { until })).body.data).toMatchObject({ removed: 0 });
  expect(await leftOf(ana)).toBe(2);
  expect((await ana.call('POST', '/mail/empty_trash', { until: 'x' })).status).toBe(422);
});

it('leaves what comes into the trash after the mark that the person was shown', async () => {
  const ana = await newPerson();
  await fill(ana, 2, 0);
  const marked = (await ana.call('GET', '/mail/folder_mark?folder=trash')).body.data as { until: string };
  expect(marked).toMatchObject({ total: 2 });
  await fill(ana, 1, 0);
  const emptied = await ana.call('POST', '/mail/empty_trash', { until: marked.until });
  expect(emptied.body.data).toEqual({ removed: 2, is_left: false, until: marked.until });
  expect(await leftOf(ana)).toBe(1);
});

it('can be done in two windows at once', async () => {
  const ana = await newPerson();
  await fill(ana, 30, 1);
  const answers = await Promise.all([1, 2, 3].map(() => ana.call('POST', '/mail/empty_trash', {})));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  expect(await leftOf(ana)).toBe(1);
});

it('is refused to a person who may not delete what is in the trash', async () => {
  const ana = await newPerson();
  await fill(ana, 1, 0);
  const { user, company } = ana.mailbox;
  const flags = { canView: true, canCreate: true, canEdit: true, canDelete: false };
  await UserPermission.create({ companyId: company.id, userId: user.id, model: 'trash', ...flags });
  expect(await ana.call('POST', '/mail/empty_trash', {})).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  expect(await leftOf(ana)).toBe(1);
});

it('empties Junk likewise, by the permissions of the inbox', async () => {
  const ana = await newPerson();
  await fill(ana, 1, 1);
  const ctx = systemContext(server.app);
  const email_id = [...(await receive(ctx, [ana.mailbox])).entryIds, ...(await receive(ctx, [ana.mailbox])).entryIds];
  await ana.call('PUT', '/mail/status_change', { email_id, junk_status: true });
  const { user, company } = ana.mailbox;
  const flags = { canView: true, canCreate: true, canEdit: true, canDelete: false };
  const own = await UserPermission.create({ companyId: company.id, userId: user.id, model: 'inbox', ...flags });
  expect(await ana.call('POST', '/mail/empty_junk', {})).toMatchObject({ status: 403, body: { code: 'forbidden' } });
  await own.destroy();
  expect((await ana.call('POST', '/mail/empty_junk', { until: '-1' })).status).toBe(422);
  const emptied = await ana.call('POST', '/mail/empty_junk', {});
  expect(emptied).toMatchObject({ status: 200, body: { data: { removed: 2, is_left: false } } });
  const totals = await ana.call('GET', '/mail/totals');
  expect(totals.body.data).toMatchObject({ inbox: { total: 1 }, trash: { total: 1 }, junk: { total: 0 } });
  expect(await verifyTotals(ctx, String(user.id))).toBe(true);
});

it.each([
  ['trash', false],
  ['trash', true],
  ['junk', false],
  ['junk', true],
] as const)('leaves a message of %s that another window has restored (conversations: %s)', async (from, isWhole) => {
  const ana = await newPerson();
  const ctx = systemContext(server.app);
  const [stays, goes] = [await receive(ctx, [ana.mailbox]), await receive(ctx, [ana.mailbox])];
  const email_id = [...stays.entryIds, ...goes.entryIds];
  const set = (body: object) => ana.call('PUT', '/mail/status_change', body);
  await set({ email_id, [`${from}_status`]: true });
  await set({ email_id: stays.entryIds, [`${from}_status`]: false });
  const deleted = await set({ email_id, from, delete_status: true, ...(isWhole && { whole_threads: true }) });
  expect(deleted).toMatchObject({ status: 200, body: { data: { changed: 1 } } });
  expect(await MailboxEntry.findByPk(stays.entryIds[0])).toMatchObject({ folder: 'inbox', deleteStatus: false });
  expect(await MailboxEntry.findByPk(goes.entryIds[0])).toMatchObject({ deleteStatus: true });
  expect(await verifyTotals(ctx, String(ana.mailbox.user.id))).toBe(true);
});
