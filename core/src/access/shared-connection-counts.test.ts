import { afterEach, describe, expect, it } from 'vitest';
import { CountRelay } from '../cluster/count-relay.ts';
import type { ToMember } from '../cluster/messages.ts';
import { until } from '../../../tests/support/until.ts';
import { DoorGuard } from './door-guard.ts';
import { GuardedConnection } from './guarded-connection.ts';
import { SharedConnectionCounts } from './shared-connection-counts.ts';

const guards: DoorGuard[] = [];

afterEach(() => {
  for (const guard of guards.splice(0)) guard.stop();
});

/** The guards of one door in several processes, whose primary passes on what they say. */
function startDoors(processes: number) {
  const members: { id: number; tell: (message: ToMember) => void }[] = [];
  const relay = new CountRelay(members);
  return Array.from({ length: processes }, (_, index) => {
    const member = { id: index + 1, tell: (_message: ToMember): void => undefined };
    members.push(member);
    const counts = new SharedConnectionCounts('test', {
      tell: (message) => {
        if (message.type === 'counts') relay.note(member.id, message);
        if (message.type === 'make_room') relay.makeRoom(member.id, message);
      },
      hear: (listener) => {
        member.tell = listener;
      },
    });
    const limits = { perAddress: 10, perNetwork: 10, total: 8 };
    const guard = new DoorGuard({ name: 'test', limits, patience: {}, transferBytesPerSecond: 0, counts });
    guards.push(guard);
    return { guard, counts };
  });
}

type Doors = ReturnType<typeof startDoors>;

function enter({ guard }: Doors[number], address: string) {
  const peer = {
    address,
    hasEnded: false,
    destroy: () => {
      peer.hasEnded = true;
    },
    isGone: () => peer.hasEnded,
    bytesRead: () => 0,
  };
  return { peer, answer: guard.admit(peer, 'open') };
}

/** Resolves once each process knows of so many connections of all. */
async function known(doors: Doors, total: number): Promise<void> {
  await until('the counts', () => doors.every(({ counts }) => counts.of('*') === total));
}

describe('a full door of several processes', () => {
  it('lets the network give way that has the most in all of them together', async () => {
    const doors = startDoors(2);
    const [first, second] = doors;
    if (!first || !second) throw new Error('there are two');
    const large = [first, second, first, second].map((door, index) => enter(door, `192.0.2.${index}`));
    const small = [1, 2, 3].map((index) => enter(first, `198.51.100.${index}`));
    enter(second, '198.51.102.1');
    await known(doors, 8);
    expect(enter(first, '203.0.113.1').answer).toBeInstanceOf(GuardedConnection);
    expect(small.some(({ peer }) => peer.hasEnded)).toBe(false);
    expect(large.filter(({ peer }) => peer.hasEnded)).toHaveLength(1);
  });

  it('ends a connection in the process that has them, when the one that takes the new one has none', async () => {
    const doors = startDoors(3);
    const [first, second, third] = doors;
    if (!first || !second || !third) throw new Error('there are three');
    const large = [first, second, second, second, second].map((door, index) => enter(door, `192.0.2.${index}`));
    const others = [third, third, third].map((door, index) => enter(door, `198.51.${index}.1`));
    await known(doors, 8);
    expect(enter(third, '203.0.113.1').answer).toBeInstanceOf(GuardedConnection);
    await known(doors, 8);
    expect(others.some(({ peer }) => peer.hasEnded)).toBe(false);
    // Of the process with the most of them
    expect(large.map(({ peer }) => peer.hasEnded)).toEqual([false, false, false, false, true]);
  });

  it('turns away the newcomer when its own network has the most', async () => {
    const doors = startDoors(2);
    const [first, second] = doors;
    if (!first || !second) throw new Error('there are two');
    const large = [first, first, first, first, first].map((door, index) => enter(door, `192.0.2.${index}`));
    const others = [1, 2, 3].map((network) => enter(second, `198.51.${network}.1`));
    await known(doors, 8);
    expect(enter(second, '192.0.2.77').answer).toBe('door_full');
    expect([...large, ...others].some(({ peer }) => peer.hasEnded)).toBe(false);
  });

  it('has no room when every network is small, and takes none of their connections away', async () => {
    const doors = startDoors(2);
    const all = Array.from({ length: 8 }, (_, index) => enter(doors[index % 2] as Doors[number], `192.0.${index}.1`));
    await known(doors, 8);
    expect(enter(doors[0] as Doors[number], '203.0.113.1').answer).toBe('door_full');
    expect(all.some(({ peer }) => peer.hasEnded)).toBe(false);
  });

  it('asks no other process for a connection whose message is decided about', async () => {
    const doors = startDoors(2);
    const [first, second] = doors;
    if (!first || !second) throw new Error('there are two');
    const large = [1, 2, 3, 4, 5].map((host) => enter(second, `192.0.2.${host}`));
    const others = [1, 2, 3].map((network) => enter(first, `198.51.${network}.1`));
    await known(doors, 8);
    for (const { answer } of large) if (answer instanceof GuardedConnection) answer.stage = () => 'deciding';
    second.guard.sweep();
    await until('the news of the sweep', () => first.counts.largest('group ')?.count === 1);
    expect(enter(first, '203.0.113.1').answer).toBe('door_full');
    expect([...large, ...others].some(({ peer }) => peer.hasEnded)).toBe(false);
  });
});
