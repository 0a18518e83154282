import { describe, expect, it } from 'vitest';
import { byReach } from './by-reach.ts';

describe('byReach', () => {
  const addresses = ['2001:db8::1', '192.0.2.1', '2001:db8::2', '192.0.2.2'];

  it('keeps the order of a machine that has IPv6', () => {
    expect(byReach(addresses, true)).toEqual(addresses);
  });

  it('tries IPv4 first where the machine has no IPv6', () => {
    expect(byReach(addresses, false)).toEqual(['192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2']);
  });
});
