import { describe, expect, it } from 'vitest';
import { findReachableAddresses } from './reachable-addresses.ts';

const find = (a: string[], aaaa: string[] | Error) =>
  findReachableAddresses('host.test', {
    resolver: {
      a: () => Promise.resolve(a),
      aaaa: () => (aaaa instanceof Error ? Promise.reject(aaaa) : Promise.resolve(aaaa)),
    },
    mayBePrivate: false,
  });

const a = ['192.0.43.1', '192.0.43.2', '192.0.43.3', '192.0.43.4', '192.0.43.5'];

describe('findReachableAddresses', () => {
  it('has both families, however many addresses one of them has', async () => {
    expect(await find(a, ['2620:0:2d0::1'])).toEqual(['192.0.43.1', '2620:0:2d0::1', '192.0.43.2', '192.0.43.3']);
    expect(await find(['192.0.43.1'], ['2620:0:2d0::1', '2620:0:2d0::2'])).toEqual([
      '192.0.43.1',
      '2620:0:2d0::1',
      '2620:0:2d0::2',
    ]);
  });

  it('does with one family when the other has none, or is not answered', async () => {
    expect(await find(a, [])).toEqual(a.slice(0, 4));
    expect(await find(a, new Error('away'))).toEqual(a.slice(0, 4));
    expect(await find([], ['2620:0:2d0::1'])).toEqual(['2620:0:2d0::1']);
  });

  it('leaves out private addresses before it counts', async () => {
    expect(await find(['10.0.0.1', '10.0.0.2', '10.0.0.3', '10.0.0.4'], ['2620:0:2d0::1'])).toEqual(['2620:0:2d0::1']);
    await expect(find(['10.0.0.1'], [])).rejects.toThrow('host.test has a private address');
  });
});
