import { afterEach, describe, expect, it, vi } from 'vitest';
import { DoorGuard } from './door-guard.ts';
import { GuardedConnection, type Stage } from './guarded-connection.ts';

const guards: DoorGuard[] = [];

afterEach(() => {
  for (const guard of guards.splice(0)) guard.stop();
});

function makeGuard(limits = { perAddress: 3, perNetwork: 5, total: 8 }): DoorGuard {
  const guard = new DoorGuard({
    name: 'test',
    limits,
    patience: { silent: 10_000, transfer: 600_000, deciding: 600_000 },
    transferBytesPerSecond: 1000,
  });
  guards.push(guard);
  return guard;
}

class TestPeer {
  readonly address: string;
  hasEnded = false;
  bytes = 0;

  constructor(address: string) {
    this.address = address;
  }

  destroy(): void {
    this.hasEnded = true;
  }

  isGone(): boolean {
    return this.hasEnded;
  }

  bytesRead(): number {
    return this.bytes;
  }
}

function enter(
  guard: DoorGuard,
  address: string,
  stage: Stage = 'open',
): { peer: TestPeer; answer: string | GuardedConnection } {
  const peer = new TestPeer(address);
  return { peer, answer: guard.admit(peer, stage) };
}

function taken({ answer }: { answer: string | GuardedConnection }): GuardedConnection {
  if (typeof answer === 'string') throw new Error(answer);
  return answer;
}

describe('DoorGuard', () => {
  it.each([
    ['an IPv4 address', ['192.0.2.1', '192.0.2.1', '::ffff:192.0.2.1', '192.0.2.1'], 'address_limit'],
    ['an IPv6 /64', ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:9::3', '2001:db8::4'], 'address_limit'],
    ['an IPv4 /24', ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5', '192.0.2.6'], 'network_limit'],
    ['an IPv6 /48', [1, 2, 3, 4, 5, 6].map((subnet) => `2001:db8:0:${subnet}::1`), 'network_limit'],
  ])('limits what %s holds', (_what, addresses, reason) => {
    const guard = makeGuard();
    const answers = addresses.map((address) => enter(guard, address).answer);
    expect(answers.slice(0, -1).every((answer) => answer instanceof GuardedConnection)).toBe(true);
    expect(answers.at(-1)).toBe(reason);
  });

  it('has room again after a connection ended, whether it was told or not', () => {
    const guard = makeGuard();
    const [first, second] = [enter(guard, '192.0.2.1'), enter(guard, '192.0.2.1'), enter(guard, '192.0.2.1')];
    expect(enter(guard, '192.0.2.1').answer).toBe('address_limit');
    guard.release(taken(first));
    expect(enter(guard, '192.0.2.1').answer).not.toBe('address_limit');
    second.peer.destroy();
    expect(enter(guard, '192.0.2.1').answer).not.toBe('address_limit');
    expect(guard.size).toBe(3);
  });

  it('lets the largest network give way when it is full, its silent connections first', () => {
    const guard = makeGuard();
    const stages: Stage[] = ['transfer', 'open', 'silent', 'open', 'transfer'];
    const large = stages.map((stage, index) => enter(guard, `192.0.2.${index}`, stage));
    const quiet = [1, 2, 3].map((network) => enter(guard, `198.51.${network}.1`, 'silent'));
    expect(enter(guard, '203.0.113.1').answer).toBeInstanceOf(GuardedConnection);
    expect(large.map(({ peer }) => peer.hasEnded)).toEqual([false, false, true, false, false]);
    expect(enter(guard, '203.0.114.1').answer).toBeInstanceOf(GuardedConnection);
    expect(large.map(({ peer }) => peer.hasEnded)).toEqual([false, false, true, true, false]);
    expect(quiet.some(({ peer }) => peer.hasEnded)).toBe(false);
  });

  it('ends the oldest silent connection when every network is small, and refuses when there is none', () => {
    const guard = makeGuard({ perAddress: 3, perNetwork: 5, total: 3 });
    const peers = (['open', 'silent', 'silent'] as const).map((stage, index) =>
      enter(guard, `192.0.${index}.1`, stage),
    );
    for (const address of ['198.51.1.1', '198.51.2.1'])
      expect(enter(guard, address).answer).toBeInstanceOf(GuardedConnection);
    expect(peers.map(({ peer }) => peer.hasEnded)).toEqual([false, true, true]);
    expect(enter(guard, '198.51.3.1').answer).toBe('door_full');
  });

  it('never lets the network that fills the door push out the silent connection of a smaller one', () => {
    const guard = makeGuard({ perAddress: 9, perNetwork: 9, total: 4 });
    const honest = enter(guard, '198.51.100.1', 'silent');
    for (const host of [1, 2]) enter(guard, `192.0.2.${host}`);
    const own = enter(guard, '192.0.2.3', 'silent');
    expect(enter(guard, '192.0.2.4').answer).toBeInstanceOf(GuardedConnection);
    expect([honest.peer.hasEnded, own.peer.hasEnded]).toEqual([false, true]);
    expect(enter(guard, '192.0.2.5').answer).toBe('door_full');
    expect(honest.peer.hasEnded).toBe(false);
  });

  it('ends the silent connection of the larger network when none has much more than the newcomer', () => {
    const guard = makeGuard({ perAddress: 9, perNetwork: 9, total: 4 });
    const small = enter(guard, '198.51.100.1', 'silent');
    const large = [1, 2].map((host) => enter(guard, `192.0.2.${host}`, 'silent'));
    enter(guard, '203.0.113.1');
    expect(enter(guard, '203.0.113.2').answer).toBeInstanceOf(GuardedConnection);
    expect([small, ...large].map(({ peer }) => peer.hasEnded)).toEqual([false, true, false]);
  });

  it('never ends a connection whose message is decided about', () => {
    const guard = makeGuard();
    const stages: Stage[] = ['deciding', 'deciding', 'transfer', 'deciding', 'deciding'];
    const large = stages.map((stage, index) => {
      const one = enter(guard, `192.0.2.${index}`);
      taken(one).stage = () => stage;
      return one;
    });
    for (const network of [1, 2, 3]) enter(guard, `198.51.${network}.1`);
    expect(enter(guard, '203.0.113.1').answer).toBeInstanceOf(GuardedConnection);
    expect(large.map(({ peer }) => peer.hasEnded)).toEqual([false, false, true, false, false]);
    expect(enter(guard, '203.0.114.1').answer).toBe('door_full');
    expect(large.filter(({ peer }) => peer.hasEnded)).toHaveLength(1);
  });

  it('lets the largest of the networks give way that have something to give', () => {
    const guard = makeGuard();
    const busy = [1, 2, 3, 4].map((host) => enter(guard, `192.0.2.${host}`));
    const others = [1, 2, 3].map((host) => enter(guard, `198.51.100.${host}`));
    const last = enter(guard, '198.51.101.1');
    for (const one of busy) taken(one).stage = () => 'deciding';
    guard.sweep();
    expect(enter(guard, '203.0.113.1').answer).toBeInstanceOf(GuardedConnection);
    expect([...busy, ...others, last].map(({ peer }) => peer.hasEnded)).toEqual(
      [false, false, false, false, false, false, true, false], // the newest of the others
    );
    // Answered, they compete again
    for (const one of busy) taken(one).stage = () => 'open';
    guard.sweep();
    expect(enter(guard, '203.0.114.1').answer).toBeInstanceOf(GuardedConnection);
    expect(busy.map(({ peer }) => peer.hasEnded)).toEqual([false, false, false, true]);
    for (const one of busy) guard.release(taken(one));
    expect(guard.size).toBe(5);
  });

  it('counts a connection that is logged in by its account', () => {
    const guard = makeGuard();
    for (const account of ['a', 'b']) {
      for (let count = 0; count < 3; count += 1) {
        expect(guard.logIn(taken(enter(guard, '192.0.2.1')), account)).toBeNull();
      }
    }
    expect(guard.logIn(taken(enter(guard, '192.0.2.1')), 'a')).toBe('account_limit');
  });

  it('ends what stays silent for too long, and a transfer that is too slow', () => {
    const guard = makeGuard();
    const now = performance.now();
    const [silent, slow, fast] = [
      enter(guard, '192.0.2.1', 'silent'),
      enter(guard, '192.0.2.2', 'transfer'),
      enter(guard, '192.0.2.3', 'transfer'),
    ];
    guard.sweep(now + 9_000);
    expect(silent.peer.hasEnded).toBe(false);
    guard.sweep(now + 11_000);
    expect(silent.peer.hasEnded).toBe(true);
    slow.peer.bytes = 29_000;
    fast.peer.bytes = 31_000;
    guard.sweep(now + 30_100);
    expect([slow.peer.hasEnded, fast.peer.hasEnded]).toEqual([true, false]);
    // What came quickly at first counts no more in the next half minute
    guard.sweep(now + 60_200);
    expect(fast.peer.hasEnded).toBe(true);
  });

  it('ends none when the clock is set forward', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const guard = makeGuard();
      const stages: Stage[] = ['silent', 'transfer', 'deciding'];
      const peers = stages.map((stage, host) => enter(guard, `192.0.2.${host + 1}`, stage).peer);
      vi.setSystemTime(Date.now() + 3_600_000);
      guard.sweep();
      expect(peers.map(({ hasEnded }) => hasEnded)).toEqual([false, false, false]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends a transfer that is fast enough and never ends', () => {
    const guard = makeGuard();
    const { peer } = enter(guard, '192.0.2.1', 'transfer');
    const start = performance.now();
    for (let second = 0; second <= 599; second += 1) {
      peer.bytes += 2000;
      guard.sweep(start + second * 1000);
    }
    expect(peer.hasEnded).toBe(false);
    guard.sweep(start + 601_000);
    expect(peer.hasEnded).toBe(true);
  });
});
