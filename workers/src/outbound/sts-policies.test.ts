import { randomUUID } from 'node:crypto';
import { DnsError } from '@selvage/core/dns/resolver';
import { expect, it, onTestFinished, vi } from 'vitest';
import { testApp } from '../../../tests/support/test-app.ts';
import { StsPolicies, type StsMeans } from './sts-policies.ts';

const silent = (name: string) => Promise.reject(new DnsError('temporary', 'ETIMEOUT', name, 'TXT'));
const resolver = { txt: silent, a: silent, aaaa: silent } as StsMeans['resolver'];

it.each(['{"id":"1","pol', '[]', 'null', '{"id":"1","policy":{"mode":"enforce"},"renewAt":1,"endsAt":9e15}'])(
  'an entry of Redis that says %s counts as missing, and not as a Redis that is away',
  async (damaged) => {
    const { config, redis } = await testApp();
    const domain = `${randomUUID()}.test`;
    const means = { config, redis, resolver };
    await redis.set(`mta-sts:${domain}`, damaged);
    expect(await new StsPolicies().find(means, domain)).toEqual({ kind: 'none' });
    const policy = { mode: 'enforce', mx: ['mx.remote.test'], maxAge: 86_400 };
    const kept = { id: '1', policy, renewAt: Date.now() + 1e6, endsAt: Date.now() + 1e7 };
    await redis.set(`mta-sts:${domain}`, JSON.stringify(kept));
    expect(await new StsPolicies().find(means, domain)).toEqual({ kind: 'policy', policy });
  },
);

it('asks a server that failed while the clock was months ahead again, after the usual pause', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const { config, redis } = await testApp();
  const domain = `${randomUUID()}.test`;
  const asked = vi.fn(silent);
  const txt = async () => ['v=STSv1; id=1;'];
  const means = { config, redis, resolver: { txt, a: asked, aaaa: silent } as unknown as StsMeans['resolver'] };
  const policies = new StsPolicies();
  const months = 90 * 86_400_000;
  vi.setSystemTime(Date.now() + months);
  await policies.find(means, domain);
  expect(asked).toHaveBeenCalledOnce();
  vi.setSystemTime(Date.now() - months);
  await policies.find(means, domain);
  expect(asked).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(301_000);
  await policies.find(means, domain);
  expect(asked).toHaveBeenCalledTimes(2);
  // Another process, or this one after a restart
  vi.advanceTimersByTime(301_000);
  await new StsPolicies().find(means, domain);
  expect(asked).toHaveBeenCalledTimes(3);
});
