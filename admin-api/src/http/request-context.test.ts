import { log } from '@selvage/core/log';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startTestServer } from '../test-server.ts';

/** What is logged of a proxy when three requests come through one. */
async function warningsOf(proxies: string): Promise<string[]> {
  const server = await startTestServer({ environment: { TRUSTED_PROXIES: proxies } });
  const spy = vi.spyOn(log, 'warn').mockImplementation(() => undefined);
  onTestFinished(() => spy.mockRestore());
  for (const address of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
    await fetch(`${server.url}/health/live`, { headers: { 'x-forwarded-for': address } });
  }
  return spy.mock.calls.map(([message]) => message).filter((message) => message.includes('TRUSTED_PROXIES'));
}

it('says once that a proxy stands before a host that knows of none', async () => {
  expect(await warningsOf('0')).toHaveLength(1);
});

it('says nothing of a proxy that the operator has named', async () => {
  expect(await warningsOf('1')).toEqual([]);
});
