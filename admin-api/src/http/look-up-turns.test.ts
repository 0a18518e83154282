import { inTransaction, systemContext } from '@selvage/core/context/context';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildMailbox } from '../../../tests/support/factories.ts';
import { startTestServer, type TestServer } from '../test-server.ts';

const pool = 2;
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer({ environment: { DATABASE_POOL: String(pool) } });
});

async function signInSomebody(): Promise<string> {
  const { user, password } = await buildMailbox(server.app);
  return (await server.signIn(user.email, password)).token;
}

/** Takes all connections to the database, so that look-ups wait; returns what gives them back. */
async function holdDatabase(): Promise<() => Promise<unknown>> {
  const release = Promise.withResolvers<void>();
  const held = Array.from({ length: pool }, () => Promise.withResolvers<void>());
  const holders = held.map(({ resolve }) =>
    inTransaction(systemContext(server.app), async () => {
      resolve();
      await release.promise;
    }),
  );
  await Promise.all(held.map(({ promise }) => promise));
  return () => {
    release.resolve();
    return Promise.all(holders);
  };
}

describe('a flood of calls under one token', () => {
  it('is looked up in turn with others, also where its calls are refused before any work', async () => {
    const [flooder, other] = [await signInSomebody(), await signInSomebody()];
    const count = 300;
    let refused = 0;
    const giveBack = await holdDatabase();
    const flood = Array.from({ length: count }, async () => {
      const { status } = await server.call('GET', '/audit/get/all', { token: flooder });
      expect(status).toBe(403);
      refused += 1;
    });
    const asked = server
      .call('GET', '/mail/labels/get/all', { token: other })
      .then(({ status }) => ({ status, refused }));
    // Its connection comes behind all others
    expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
    expect(refused).toBe(0);
    await giveBack();
    const answer = await asked;
    await Promise.all(flood);
    expect(answer.status).toBe(200);
    expect(answer.refused).toBeLessThan(count / 4);
    expect(refused).toBe(count);
  });
});
