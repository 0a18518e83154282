import { systemContext } from '@selvage/core/context/context';
import type { DraftDto } from '@selvage/core/contracts/drafts';
import { verifyTotals } from '@selvage/core/mailstore/verify-totals';
import { Draft } from '@selvage/core/models/draft';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildMailbox, type Mailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let person: Mailbox;
let token: string;

beforeAll(async () => {
  server = await startTestServer();
});

beforeEach(async () => {
  person = await buildMailbox(server.app);
  ({ token } = await server.signIn(person.user.email, person.password));
});

type Fields = Record<string, string>;

async function call(fields: Fields, file?: string) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file !== undefined) form.append('attachments', new Blob([file], { type: 'text/plain' }), 'a.txt');
  const { status, body } = await server.call('POST', '/mail/draft/save', { token, body: form });
  return { status, code: body.code, data: body.data as DraftDto };
}

async function save(fields: Fields, file?: string): Promise<DraftDto> {
  const answer = await call(fields, file);
  expect(answer).toMatchObject({ status: 200 });
  return answer.data;
}

const keyOf = (number: number): { idempotency_key: string } => ({ idempotency_key: `a-key-of-one-save-${number}` });
const drafts = () => Draft.findAll({ where: { userId: String(person.user.id) } });
const isCounted = () => verifyTotals(systemContext(server.app), String(person.user.id));

describe('a save of a draft that arrives again', () => {
  it('is carried out once, and answered the same', async () => {
    const made = { subject: 'One', body: '<p>x</p>', ...keyOf(1) };
    const first = await save(made, 'first');
    expect(first).toMatchObject({ version: 1, attachments: [{}] });
    expect([await save(made, 'first'), await save(made, 'first')]).toEqual([first, first]);
    const next = { draft_id: first._id, version: '1', subject: 'Two', ...keyOf(2) };
    const second = await save(next, 'second');
    expect(second).toMatchObject({ version: 2, attachments: [{}, {}] });
    expect(await save(next, 'second')).toEqual(second);
    expect(await drafts()).toHaveLength(1);
    expect(await isCounted()).toBe(true);
  });

  it('is carried out once when the calls come at the same time', async () => {
    const fields = { subject: 'At once', ...keyOf(1) };
    const made = await Promise.all(Array.from({ length: 5 }, () => save(fields, 'first')));
    expect(new Set(made.map(({ _id }) => _id)).size).toBe(1);
    expect(made.every(({ version, attachments }) => version === 1 && attachments.length === 1)).toBe(true);
    const next = { draft_id: made[0]?._id ?? '', version: '1', subject: 'Again', ...keyOf(2) };
    const saved = await Promise.all(Array.from({ length: 5 }, () => save(next, 'second')));
    expect(saved.every(({ version, attachments }) => version === 2 && attachments.length === 2)).toBe(true);
    expect(await drafts()).toHaveLength(1);
    expect(await isCounted()).toBe(true);
  });

  it('does not save over what was saved elsewhere since', async () => {
    const made = { subject: 'One', ...keyOf(1) };
    const { _id: draft_id } = await save(made);
    const mine = { draft_id, version: '1', subject: 'Mine', ...keyOf(2) };
    await save(mine);
    await save({ draft_id, version: '2', subject: 'Theirs', ...keyOf(3) });
    expect(await call(mine)).toMatchObject({ status: 409, code: 'changed_meanwhile' });
    // The writer of the first save has its version still, and so meets the change at the next one
    expect(await save(made)).toMatchObject({ _id: draft_id, version: 1 });
    expect(await drafts()).toMatchObject([{ subject: 'Theirs', version: 3 }]);
  });

  it('is another save where its key or its content is another', async () => {
    const one = await save({ subject: 'One', ...keyOf(1) });
    const other = await save({ subject: 'Other', ...keyOf(1) });
    const same = await save({ subject: 'One', ...keyOf(2) });
    expect(new Set([one._id, other._id, same._id]).size).toBe(3);
    const { _id: draft_id } = one;
    expect(await save({ draft_id, version: '1', subject: 'Two', ...keyOf(1) })).toMatchObject({ version: 2 });
    expect(await save({ draft_id, version: '2', subject: 'Three', ...keyOf(1) })).toMatchObject({ version: 3 });
    expect(await call({ subject: 'x', idempotency_key: 'short' })).toMatchObject({ status: 422 });
  });

  it('makes a draft of its own for each person', async () => {
    const fields = { subject: 'One', ...keyOf(1) };
    const { _id } = await save(fields);
    person = await buildMailbox(server.app);
    ({ token } = await server.signIn(person.user.email, person.password));
    expect((await save(fields))._id).not.toBe(_id);
  });
});
