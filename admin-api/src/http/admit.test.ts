import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import type { ModelName } from '@selvage/core/contracts/permissions';
import { Label } from '@selvage/core/models/label';
import { Session } from '@selvage/core/models/session';
import { User } from '@selvage/core/models/user';
import { UserPermission } from '@selvage/core/models/user-permission';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { queriesOf } from '../../../tests/support/queries-of.ts';
import { until } from '../../../tests/support/until.ts';
import { type Administrator, buildAdministrator, newPerson } from '../test-people.ts';
import { startTestServer, type TestServer } from '../test-server.ts';
import { freshMs } from './admit.ts';

interface Refusal {
  status: number | undefined;
  code: unknown;
}

/** A call of a person, and what happens before it is answered. */
interface SlowCall {
  by: Administrator;
  path: string;
  type?: string;
  /** The beginning of the body and the rest of it. */
  parts: [string, string];
  meanwhile: () => Promise<unknown>;
}

/** Looking a person up notes that their session is in use, if that was not noted lately. */
async function forgetUse({ user }: Administrator): Promise<void> {
  await Session.update({ lastActive: new Date(0) }, { where: { userId: user.id } });
}

/** Waits until a person was looked up, and for as long as what was found counts. */
async function outlastLookUp({ user }: Administrator): Promise<void> {
  await until('the look-up of the person', async () => {
    const session = await Session.findOne({ where: { userId: user.id }, rejectOnEmpty: true });
    return session.lastActive.getTime() > 0;
  });
  const seenAt = performance.now();
  await until('the end of what was found', () => performance.now() - seenAt > freshMs);
}

/** Makes a call whose body comes in two parts, and does something between them. */
async function callSlowly(
  server: TestServer,
  { by, path, type = 'application/json', parts, meanwhile }: SlowCall,
): Promise<Refusal> {
  await forgetUse(by);
  const headers = { authorization: `Bearer ${by.token}`, 'content-type': type };
  const sent = request(`${server.url}/api/v1${path}`, { method: 'POST', headers });
  const answer = new Promise<Refusal>((resolve, reject) => {
    sent.on('error', reject);
    sent.on('response', (response) => {
      json(response).then((body) => resolve({ status: response.statusCode, code: codeOf(body) }), reject);
    });
  });
  sent.write(parts[0]);
  await outlastLookUp(by);
  await meanwhile();
  sent.end(parts[1]);
  return await answer;
}

function codeOf(body: unknown): unknown {
  return typeof body === 'object' && body !== null && 'code' in body ? body.code : undefined;
}

function halvesOf(body: object): [string, string] {
  const text = JSON.stringify(body);
  return [text.slice(0, 10), text.slice(10)];
}

async function withdraw({ user, company }: Administrator, model: ModelName): Promise<void> {
  const none = { canView: false, canCreate: false, canEdit: false, canDelete: false };
  await UserPermission.create({ companyId: company.id, userId: user.id, model, ...none });
}

describe('a call whose body arrives slowly', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await startTestServer();
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  async function createSlowly(
    by: Administrator,
    meanwhile: () => Promise<unknown>,
  ): Promise<Refusal & { made: number }> {
    const person = newPerson(by);
    const refusal = await callSlowly(server, { by, path: '/user/create', parts: halvesOf(person), meanwhile });
    return { ...refusal, made: await User.count({ where: { email: person.email } }) };
  }

  it('does nothing when its person is deleted meanwhile', async () => {
    const [boss, by] = await twoAdministrators();
    const answer = await createSlowly(by, () => boss.call('DELETE', `/user/delete/${by.user.id}`));
    expect(answer).toEqual({ status: 401, code: 'account_unusable', made: 0 });
  });

  it('does nothing when its session is ended meanwhile', async () => {
    const by = await buildAdministrator(server);
    const answer = await createSlowly(by, () => by.call('POST', '/user/logout', {}));
    expect(answer).toEqual({ status: 401, code: 'session_ended', made: 0 });
  });

  it('does nothing when its person loses the permission meanwhile', async () => {
    const by = await buildAdministrator(server);
    const answer = await createSlowly(by, () => withdraw(by, 'user'));
    expect(answer).toEqual({ status: 403, code: 'forbidden', made: 0 });
  });

  it('does nothing either when it is a form with a file', async () => {
    const [boss, by] = await twoAdministrators();
    const email = `late@${by.domain.domainName}`;
    const answer = await callSlowly(server, {
      by,
      path: '/user/import',
      type: 'multipart/form-data; boundary=part',
      parts: [
        '--part\r\nContent-Disposition: form-data; name="file"; filename="people.csv"\r\n',
        `Content-Type: text/csv\r\n\r\nFirst name,Email,Role\r\nLate,${email},Admin\r\n\r\n--part--\r\n`,
      ],
      meanwhile: () => boss.call('DELETE', `/user/delete/${by.user.id}`),
    });
    expect(answer).toEqual({ status: 401, code: 'account_unusable' });
    expect(await User.count({ where: { email } })).toBe(0);
  });

  it('is done when only its token expires meanwhile', async () => {
    const by = await buildAdministrator(server);
    const answer = await createSlowly(by, async () => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 20 * 60_000 });
    });
    expect(answer).toEqual({ status: 200, code: undefined, made: 1 });
  });

  it('is looked up once more, and a quick one is not', async () => {
    const by = await buildAdministrator(server);
    const lookUps = async (work: () => Promise<unknown>) =>
      (await queriesOf(server.app, work)).filter((sql) => sql.includes('LEFT JOIN sessions')).length;
    expect(await lookUps(() => by.call('POST', '/user/create', newPerson(by)))).toBe(1);
    expect(await lookUps(() => createSlowly(by, async () => undefined))).toBe(2);
  });

  async function twoAdministrators(): Promise<[Administrator, Administrator]> {
    const boss = await buildAdministrator(server);
    return [boss, await buildAdministrator(server, { tenant: boss })];
  }
});

describe('a call that waits for its turn', () => {
  /** A person has four places at once. */
  const [pool, places] = [10, 4];

  it('does nothing when its session is ended meanwhile', async () => {
    const server = await startTestServer({ environment: { DATABASE_POOL: String(pool) } });
    const by = await buildAdministrator(server);
    const label = (await by.call('POST', '/mail/labels/create', { name: 'Kept', colour: 'red' })).body.data;
    const { _id } = label as { _id: string };
    const rename = (name: string) => by.call('PUT', `/mail/labels/update/${_id}`, { name, colour: 'red' });
    const { first, last } = await inTransaction(systemContext(server.app), async ({ tx }) => {
      await Label.findByPk(_id, { transaction: tx, lock: true });
      const first = await beginAll(by, () => Array.from({ length: places }, (_, index) => rename(`Kept ${index}`)));
      const last = await beginAll(by, () => [rename('Too late')]);
      await Session.update({ endedAt: new Date() }, { where: { userId: by.user.id } });
      return { first, last };
    });
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual(Array(places).fill(200));
    expect((await Promise.all(last)).map(({ body }) => body['code'])).toEqual(['session_ended']);
    expect((await Label.findByPk(_id))?.name).not.toBe('Too late');
  });

  async function beginAll<T>(by: Administrator, begin: () => T): Promise<T> {
    await forgetUse(by);
    const calls = begin();
    await outlastLookUp(by);
    return calls;
  }
});
