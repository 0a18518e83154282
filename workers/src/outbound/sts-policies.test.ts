import { randomUUID } from 'node:crypto';
import { DnsError } from '@selvage/core/dns/resolver';
import { expect, it } from 'vitest';
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
