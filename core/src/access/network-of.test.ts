import { describe, expect, it } from 'vitest';
import { blockOf, networkOf, subscriberOf } from './network-of.ts';

describe('networkOf', () => {
  it.each([
    ['192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('puts %s into %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});

describe('what limits count by', () => {
  it.each([
    ['192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['::ffff:192.0.2.77', '192.0.2.77', '192.0.2.0/24'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64', '2001:db8:1::/48'],
    ['2001:0db8:0001:2::9', '2001:db8:1:2::/64', '2001:db8:1::/48'],
  ])('counts %s as %s, and as %s', (address, subscriber, block) => {
    expect(subscriberOf(address)).toBe(subscriber);
    expect(blockOf(address)).toBe(block);
  });
});
