import type { EmailDto, EmailRowDto } from '@selvage/core/contracts/email';
import { systemContext } from '@selvage/core/context/context';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { receive } from '@selvage/core/mailstore/test-messages';
import { MailboxEntry } from '@selvage/core/models/mailbox-entry';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

async function newPerson() {
  const mailbox: Mailbox = await buildMailbox(server.app);
  const { token } = await server.signIn(mailbox.user.email, mailbox.password);
  const call = (method: string, path: string, body?: unknown): Promise<Answer> =>
    server.call(method, path, { token, ...(body ? { body } : {}) });
  const write = async (root: string, messages = 1): Promise<string[]> => {
    const ids: string[] = [];
    for (let count = 0; count < messages; count += 1) {
      const { entryIds } = await receive(systemContext(server.app), [mailbox], { references: `<${root}@x.test>` });
      ids.push(...entryIds);
    }
    return ids;
  };
  const list = async (query = '') => {
    const { body } = await call('GET', `/mail/get/sent/by_user?grouped=true&limit=50${query}`);
    return {
      rows: body.data as EmailRowDto[],
      total: (body.pagination as { totalData?: number } | undefined)?.totalData,
    };
  };
  const isTrue = () => verifyTotals(systemContext(server.app), String(mailbox.user.id));
  return { mailbox, call, write, list, isTrue };
}

describe('a grouped folder', () => {
  it('shows the newest message of each conversation, with what the folder has of it', async () => {
    const ana = await newPerson();
    const [, newest] = await ana.write('a', 2);
    const [alone] = await ana.write('b');
    const { rows, total } = await ana.list();
    expect(total).toBe(2);
    expect(rows).toMatchObject([
      { _id: alone, read_status: false, thread: { count: 1, unread: 1, people: [] } },
      { _id: newest, thread: { count: 2, unread: 2, people: [{ name: 'Bea Sender', is_me: false }] } },
    ]);
  });

  it('names the other writer and the person, in the order in which they wrote', async () => {
    const ana = await newPerson();
    const [asked = ''] = await ana.write('a');
    const [, again = ''] = await ana.write('b', 2);
    const letter = { recipient_emails_to: ['bea@remote.test'], subject: 'Re: Hello', body: 'x', is_reply: true };
    for (const id of [asked, again]) await ana.call('POST', '/mail/replyOrForward', { ...letter, originalEmailId: id });
    const people = async () => (await ana.list()).rows.map(({ thread }) => thread?.people.map(({ is_me }) => is_me));
    expect(await people()).toEqual([
      [false, true],
      [false, true],
    ]);
    // One that is answered, where the person wrote first
    await ana.call('PUT', '/mail/status_change', { email_id: [asked], trash_status: true });
    const [answer = ''] = await ana.write('a');
    expect((await ana.list()).rows).toMatchObject([
      { _id: answer, thread: { count: 1, people: [{ is_me: true }, { name: 'Bea Sender', is_me: false }] } },
      { _id: again },
    ]);
  });

  it('is read when all are read, and has a star when one has', async () => {
    const ana = await newPerson();
    const [oldest, newest] = await ana.write('a', 2);
    await ana.call('PUT', '/mail/status_change', { email_id: [newest], read_status: true });
    await ana.call('PUT', '/mail/status_change', { email_id: [oldest], star_status: true });
    expect((await ana.list()).rows).toMatchObject([{ _id: newest, read_status: false, star_status: true }]);
  });

  it('is never Starred, which shows messages of several folders', async () => {
    const ana = await newPerson();
    const ids = await ana.write('a', 2);
    await ana.call('PUT', '/mail/status_change', { email_id: ids, star_status: true });
    const { rows, total } = await ana.list('&star_status=true');
    expect([rows.length, total, rows[0]?.thread]).toEqual([2, 2, undefined]);
  });

  it('takes true or false and nothing else', async () => {
    const ana = await newPerson();
    expect((await ana.call('GET', '/mail/get/sent/by_user?grouped=perhaps')).status).toBe(422);
  });
});

describe('a change of a whole conversation', () => {
  it('reaches all of its messages in the folder, and says which were different', async () => {
    const ana = await newPerson();
    const [first, second, newest] = await ana.write('a', 3);
    const other = await ana.write('b');
    await ana.call('PUT', '/mail/status_change', { email_id: [second], read_status: true });
    const read = await ana.call('PUT', '/mail/status_change', {
      email_id: [newest],
      read_status: true,
      whole_threads: true,
    });
    expect(read.body.data).toEqual({ changed: 2, touched: [first, newest], is_left: false });
    expect((await ana.list()).rows).toMatchObject([{ _id: other[0], read_status: false }, { read_status: true }]);
    await ana.call('PUT', '/mail/status_change', { email_id: [newest], archive_status: true, whole_threads: true });
    expect((await ana.list()).total).toBe(1);
    expect((await ana.list('&archive_status=true')).rows).toMatchObject([{ _id: newest, thread: { count: 3 } }]);
    expect(await ana.isTrue()).toBe(true);
  });

  it('leaves alone what has come since the conversation was listed, and its part in other folders', async () => {
    const ana = await newPerson();
    const [archived] = await ana.write('a');
    await ana.call('PUT', '/mail/status_change', { email_id: [archived], archive_status: true });
    const [, listed] = await ana.write('a', 2);
    const [later] = await ana.write('a');
    await ana.call('PUT', '/mail/status_change', { email_id: [listed], trash_status: true, whole_threads: true });
    expect((await ana.list()).rows).toMatchObject([{ _id: later, thread: { count: 1 } }]);
    expect((await ana.list('&archive_status=true')).rows).toMatchObject([{ _id: archived, trash_status: false }]);
    expect((await ana.list('&trash_status=true')).rows).toMatchObject([{ _id: listed, thread: { count: 2 } }]);
  });

  it('changes more messages than one call may name', async () => {
    const ana = await newPerson();
    const [id = ''] = await ana.write('a');
    const { id: _id, uid: _uid, ...first } = (await MailboxEntry.findByPk(id, { rejectOnEmpty: true })).get();
    const copies = Array.from({ length: 600 }, (_, at) => ({ ...first, uid: 1000 + at }));
    await MailboxEntry.bulkCreate(copies);
    const newest = await MailboxEntry.findOne({ where: { userId: first.userId }, order: [['id', 'DESC']] });
    const change = { email_id: [String(newest?.id)], star_status: true, whole_threads: true };
    expect((await ana.call('PUT', '/mail/status_change', change)).body.data).toMatchObject({ changed: 601 });
  });

  it('of another person is a 404', async () => {
    const [ana, ben] = [await newPerson(), await newPerson()];
    const ids = await ana.write('a', 2);
    const change = { email_id: [ids[1]], trash_status: true, whole_threads: true };
    expect((await ben.call('PUT', '/mail/status_change', change)).status).toBe(404);
    expect((await ana.list()).total).toBe(1);
  });
});

describe('an open message of a conversation', () => {
  const open = async (ana: Awaited<ReturnType<typeof newPerson>>, id: string, query = '') =>
    (await ana.call('GET', `/mail/get/${id}${query}`)).body.data as EmailDto;

  it('has the newest of the others, as many as were asked for, and says how many are earlier', async () => {
    const ana = await newPerson();
    const ids = await ana.write('a', 6);
    const newest = ids.at(-1) ?? '';
    const replies = ({ replies: list }: EmailDto) => list.map(({ _id }) => _id);
    const all = await open(ana, newest);
    expect([replies(all), all.earlier_replies]).toEqual([ids.slice(0, 5), 0]);
    const some = await open(ana, newest, '?replies=2');
    expect([replies(some), some.earlier_replies]).toEqual([ids.slice(3, 5), 3]);
    const none = await open(ana, newest, '?replies=0');
    expect([replies(none), none.earlier_replies]).toEqual([[], 5]);
    const middle = await open(ana, ids[2] ?? '');
    expect(replies(middle)).toEqual(ids.filter((id) => id !== ids[2]));
  });

  it('has texts, or the first words alone', async () => {
    const ana = await newPerson();
    const [, newest = ''] = await ana.write('a', 2);
    const [whole, brief] = [await open(ana, newest), await open(ana, newest, '?brief=true')];
    expect(whole.replies[0]).toMatchObject({ snippet: 'The text.' });
    expect(brief.replies[0]).toMatchObject({ snippet: 'The text.' });
    expect(brief.body).toBe(whole.body);
  });

  it.each(['replies=-1', 'replies=501', 'replies=x', 'brief=perhaps'])('refuses %s', async (query) => {
    const ana = await newPerson();
    const [id = ''] = await ana.write('a');
    expect((await ana.call('GET', `/mail/get/${id}?${query}`)).status).toBe(422);
  });

  it('does not show what was moved to the trash, nor count it', async () => {
    const ana = await newPerson();
    const [first, newest = ''] = await ana.write('a', 2);
    await ana.call('PUT', '/mail/status_change', { email_id: [first], trash_status: true });
    expect(await open(ana, newest)).toMatchObject({ replies: [], earlier_replies: 0 });
    expect(await open(ana, first ?? '')).toMatchObject({ replies: [{ _id: newest }], earlier_replies: 0 });
  });
});
