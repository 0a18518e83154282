import { DnsError, type DnsProblem } from '@selvage/core/dns/resolver';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { OwnIpv6, toAsk } from './own-ipv6.ts';

const config = { hostname: 'mail.host.test' };
const minutes = 60_000;

/** A look-up of AAAA records that finds these, or fails. */
function finds(answer: string[] | DnsProblem) {
  return vi.fn(async (name: string): Promise<string[]> => {
    if (typeof answer === 'string') throw new DnsError(answer, 'ECODE', name, 'AAAA');
    return answer;
  });
}

describe('mail leaves by IPv6 first', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  const withAddress = (...addresses: string[]) => new OwnIpv6(() => addresses);
  const isFirst = (own: OwnIpv6, aaaa: ReturnType<typeof finds>) => own.isFirst({ config, resolver: { aaaa } });

  it('where the name of the host leads to an IPv6 address of this machine', async () => {
    const aaaa = finds(['2001:db8::9', '2001:db8::2']);
    expect(await isFirst(withAddress('2001:db8::1', '2001:db8::2'), aaaa)).toBe(true);
    expect(aaaa).toHaveBeenCalledExactlyOnceWith('mail.host.test');
  });

  it('not where the name leads to no IPv6 address, or to that of another machine', async () => {
    for (const aaaa of [finds('nodata'), finds('nxdomain'), finds(['2001:db8::9'])])
      expect(await isFirst(withAddress('2001:db8::1'), aaaa)).toBe(false);
  });

  it('not from a machine without an IPv6 address, which needs no look-up', async () => {
    const aaaa = finds(['2001:db8::1']);
    expect(await isFirst(withAddress(), aaaa)).toBe(false);
    expect(aaaa).not.toHaveBeenCalled();
  });

  it('as known before, while the name servers are silent, and looks again every five minutes', async () => {
    const own = withAddress('2001:db8::1');
    expect(await isFirst(own, finds('temporary'))).toBe(false);
    const early = finds(['2001:db8::1']);
    expect(await isFirst(own, early)).toBe(false);
    expect(early).not.toHaveBeenCalled();
    vi.advanceTimersByTime(5 * minutes);
    expect(await isFirst(own, early)).toBe(true);
    vi.advanceTimersByTime(5 * minutes);
    expect(await isFirst(own, finds('temporary'))).toBe(true);
    vi.advanceTimersByTime(5 * minutes);
    expect(await isFirst(own, finds('nodata'))).toBe(false);
  });
});

describe('the mail hosts of a domain', () => {
  const both = { host: 'both', addresses: ['2001:db8::1', '192.0.2.1', '2001:db8::2', '192.0.2.2'] };
  const six = { host: 'six', addresses: ['2001:db8::3'] };

  it('keep all of their addresses where IPv6 comes first', () => {
    expect(toAsk([both, six], true)).toEqual([both, six]);
  });

  it('are asked by IPv4 alone otherwise, if one of them has IPv4', () => {
    expect(toAsk([six, both], false)).toEqual([{ host: 'both', addresses: ['192.0.2.1', '192.0.2.2'] }]);
  });

  it('are asked by IPv6 when none of them has IPv4', () => {
    expect(toAsk([six], false)).toEqual([six]);
  });
});
