import { randomBytes, randomUUID } from 'node:crypto';
import { inTransaction, systemContext } from '@selvage/core/context/context';
import type { ImportDto } from '@selvage/core/contracts/many-users';
import { Company } from '@selvage/core/models/company';
import { User } from '@selvage/core/models/user';
import { beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../tests/support/until.ts';
import { type Administrator, buildAdministrator } from '../test-people.ts';
import { type Answer, startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;
let admin: Administrator;

beforeAll(async () => {
  server = await startTestServer();
  admin = await buildAdministrator(server);
});

const newAddress = () => `i${randomBytes(5).toString('hex')}@${admin.domain.domainName}`;
const addedBy = ({ body }: Answer) => (body.data as ImportDto).added;
const codeOf = ({ status, body }: Answer) => [status, body['code']];

function formOf(importId: string, emails: readonly string[]): FormData {
  const form = new FormData();
  form.append('import_id', importId);
  form.append('file', new Blob([['Email,First name', ...emails.map((one) => `${one},Ana`)].join('\n')]), 'people.csv');
  return form;
}

const send = (importId: string, emails: readonly string[], { token } = admin) =>
  server.call('POST', '/user/import', { token, body: formOf(importId, emails) });

/** Keeps imports from adding people until `letGo`. */
async function holdImports(): Promise<{ letGo: () => Promise<void> }> {
  const [isHeld, mayEnd] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = inTransaction(systemContext(server.app), async ({ tx: transaction }) => {
    await Company.findByPk(admin.company.id, { transaction, lock: transaction.LOCK.UPDATE });
    isHeld.resolve();
    await mayEnd.promise;
  });
  await isHeld.promise;
  return {
    letGo: async () => {
      mayEnd.resolve();
      await done;
    },
  };
}

describe('an import that its caller repeats under the same id', () => {
  it('adds each person once, and gives its passwords to that caller again', async () => {
    const [importId, emails] = [randomUUID(), [newAddress(), newAddress()]];
    const first = await send(importId, emails);
    expect([first.status, addedBy(first)?.length]).toEqual([200, 2]);
    expect((await send(importId, emails)).body).toEqual(first.body);
    expect(await User.count({ where: { email: emails } })).toBe(2);
    const colleague = await buildAdministrator(server, { tenant: admin });
    expect(codeOf(await send(importId, emails, colleague))).toEqual([422, 'invalid']);
    expect(codeOf(await send(randomUUID(), emails))).toEqual([422, 'invalid']);
  });

  it('with another file is another import', async () => {
    const [importId, email] = [randomUUID(), newAddress()];
    await send(importId, [newAddress()]);
    expect(addedBy(await send(importId, [email]))).toMatchObject([{ email }]);
  });

  it('was refused: it is tried anew', async () => {
    const [importId, email] = [randomUUID(), newAddress()];
    await admin.company.update({ maxUsers: 1 });
    expect(codeOf(await send(importId, [email]))).toEqual([422, 'invalid']);
    await admin.company.update({ maxUsers: null });
    expect(addedBy(await send(importId, [email]))).toMatchObject([{ email }]);
  });

  it('goes on when its caller has hung up; a repeat hears so, and then gets the passwords', async () => {
    const [importId, email] = [randomUUID(), newAddress()];
    const { letGo } = await holdImports();
    const caller = new AbortController();
    const first = fetch(`${server.url}/api/v1/user/import`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin.token}` },
      body: formOf(importId, [email]),
      signal: caller.signal,
    });
    await until('the import began', async () => (await namesIn(importId)).length > 0);
    caller.abort();
    await expect(first).rejects.toThrow();
    expect(codeOf(await send(importId, [email]))).toEqual([409, 'import_running']);
    await letGo();
    const repeated = await until('the import ended', async () => {
      const answer = await send(importId, [email]);
      return answer.status === 200 ? answer : null;
    });
    const [person] = addedBy(repeated) ?? [];
    expect((await server.signIn(email, person?.password ?? '')).token).not.toBe('');
  });

  it('has its answer kept for ten minutes, where no password can be read', async () => {
    const [importId, email] = [randomUUID(), newAddress()];
    const [person] = addedBy(await send(importId, [email])) ?? [];
    const kept = await namesIn(importId);
    const values = await Promise.all(kept.map((name) => server.app.redis.get(name)));
    expect(values.join(' ')).not.toContain(person?.password);
    expect(values.join(' ')).not.toContain(email);
    const seconds = await Promise.all(kept.map((name) => server.app.redis.ttl(name)));
    expect(seconds).toHaveLength(2);
    expect(seconds.filter((left) => left < 590 || left > 600)).toEqual([]);
  });
});

/** What Redis keeps of an import. */
const namesIn = (importId: string): Promise<string[]> => server.app.redis.keys(`*${importId}*`);
