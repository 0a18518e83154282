import { expect, it } from 'vitest';
import { stsPolicy, stsPolicyId } from './sts-policy.ts';

const host = { hostname: 'mx.host.test', stsMode: 'testing' } as const;

it('is the text of RFC 8461 3.2, with the ends of lines that it asks for', () => {
  expect(stsPolicy(host)).toBe('version: STSv1\r\nmode: testing\r\nmx: mx.host.test\r\nmax_age: 604800\r\n');
});

it('has an id that stays while the policy does, and changes with the mode and the name', () => {
  const id = stsPolicyId(host);
  // TXT records of hosted domains carry it: another text here would make all of them out of date
  expect(id).toBe('366aa04cbd50fa04cd00f82bfc92f286');
  expect(stsPolicyId({ ...host, stsMode: 'enforce' })).not.toBe(id);
  expect(stsPolicyId({ ...host, hostname: 'mx2.host.test' })).not.toBe(id);
});
