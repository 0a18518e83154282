import { beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { App } from '@selvage/core/context/app';
import { testApp } from '../../../tests/support/test-app.ts';
import type { HarakaConnection } from './haraka.ts';
import { noteStoredMessage, noteUnknownRecipient, refuseSearchingNetwork } from './unknown-recipients.ts';

let app: App;

beforeAll(async () => {
  app = await testApp();
});

const session = (ip: string) => ({ remote: { ip } }) as HarakaConnection;

describe('unknown recipients', () => {
  it('are answered at once ten times, then after one to five seconds, and fifty times at most', async () => {
    const connection = session('198.51.100.1');
    const delays: (number | null)[] = [];
    for (let count = 0; count < 50; count += 1) delays.push(await noteUnknownRecipient(app, connection));
    expect(delays.slice(0, 10)).toEqual(Array(10).fill(0));
    expect(delays.slice(10, 16)).toEqual([1000, 2000, 3000, 4000, 5000, 5000]);
    expect(delays.indexOf(null)).toBe(49);
  });

  it('shut no network out that delivers mail as well, as a large sender with stale addresses does', async () => {
    for (let count = 0; count < 400; count += 1) {
      await noteUnknownRecipient(app, session('203.0.113.5'));
      await noteStoredMessage(app, session('203.0.113.6'));
      expect(refuseSearchingNetwork(session('203.0.113.7'))).toBeNull();
    }
    for (let count = 0; count < 201; count += 1) await noteUnknownRecipient(app, session('203.0.113.5'));
    expect(refuseSearchingNetwork(session('203.0.113.7'))).toMatchObject({ code: 450 });
  });

  it('shut a block of IPv6 out that spreads them over its networks, and no other block', async () => {
    for (let count = 0; count < 2001; count += 1) {
      await noteUnknownRecipient(app, session(`2001:db8:5:${count.toString(16)}::1`));
    }
    expect(refuseSearchingNetwork(session('2001:db8:5:ffff::1'))).toMatchObject({ code: 450 });
    expect(refuseSearchingNetwork(session('2001:db8:6::1'))).toBeNull();
  });

  it('shut a network out for an hour at most, also when the clock was months ahead', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const months = 90 * 86_400_000;
    vi.setSystemTime(Date.now() + months);
    for (let count = 0; count < 201; count += 1) await noteUnknownRecipient(app, session('192.0.2.5'));
    vi.setSystemTime(Date.now() - months);
    expect(refuseSearchingNetwork(session('192.0.2.5'))).toMatchObject({ code: 450 });
    vi.advanceTimersByTime(3_600_001);
    expect(refuseSearchingNetwork(session('192.0.2.5'))).toBeNull();
  });
});
