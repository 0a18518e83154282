import { beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { startTestServer, type TestServer } from '../test-server.ts';

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});

// What Redis itself answers to a write
it.each([
  "OOM command not allowed when used memory > 'maxmemory'.",
  'MISCONF Errors writing to the AOF file: No space left on device',
  'NOREPLICAS Not enough good replicas to write.',
  'EXECABORT Transaction discarded because of previous errors.',
  // Behind it the connection is made anew
  "READONLY You can't write against a read only replica.",
])('asks to try again later while Redis takes no writes: %s', async (text) => {
  const { redis } = server.app;
  const answer = () => redis.eval('return redis.error_reply(ARGV[1])', 0, text) as Promise<'OK'>;
  const writes = vi.spyOn(redis, 'set').mockImplementation(answer);
  onTestFinished(() => writes.mockRestore());
  const { status, body, headers } = await server.call('GET', '/captcha');
  expect([status, body['code'], headers.get('retry-after')]).toEqual([503, 'service_unavailable', '2']);
});
