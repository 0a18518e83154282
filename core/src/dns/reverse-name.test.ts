import { expect, it } from 'vitest';
import { reverseName } from './reverse-name.ts';

it.each([
  ['127.0.0.1', '1.0.0.127.in-addr.arpa'],
  ['2001:db8::1', '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.8.b.d.0.1.0.0.2.ip6.arpa'],
  ['::ffff:192.0.2.1', '1.0.2.0.0.0.0.c.f.f.f.f.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.ip6.arpa'],
  ['fe80::1%eth0', null],
  ['nonsense', null],
])('the PTR records of %s are at %s', (address, name) => {
  expect(reverseName(address)).toBe(name);
});
