import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Socket } from 'socket.io-client';
import { isLive } from '../../lib/live.ts';
import { LiveConnection } from './live-connection.ts';
import { isLiveLost } from './live-state.ts';

type Listener = (...items: unknown[]) => void;

/**
 * The parts of the library's socket that a connection uses. The test plays the server and the
 * network.
 */
class FakeSocket {
  listeners = new Map<string, Listener>();
  active = true;
  connects = 0;
  joins: string[] = [];
  answersJoin = true;

  on(event: string, listener: Listener): this {
    this.listeners.set(event, listener);
    return this;
  }
  off(): this {
    this.listeners.clear();
    return this;
  }
  emit(_event: string, email: string, answer: () => void): void {
    this.joins.push(email);
    if (this.answersJoin) answer();
  }
  connect(): this {
    this.connects += 1;
    return this;
  }
  disconnect(): this {
    this.tell('disconnect', 'io client disconnect');
    return this;
  }
  tell(event: string, ...items: unknown[]): void {
    this.listeners.get(event)?.(...items);
  }
}

const EMAIL = 'ana@mill.test';
const handlers = {
  onNewMail: vi.fn(),
  onMailboxChanged: vi.fn(),
  onDeliveriesChanged: vi.fn(),
  onHello: vi.fn(),
  onJoined: vi.fn(),
  onPoll: vi.fn(),
  onRefused: vi.fn(),
};
let socket: FakeSocket;
let live: LiveConnection;

async function open(): Promise<void> {
  live = new LiveConnection(EMAIL, handlers, () => Promise.resolve(socket as unknown as Socket));
  await vi.advanceTimersByTimeAsync(0);
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.clearAllMocks();
  socket = new FakeSocket();
});
afterEach(() => {
  live.close();
  vi.useRealTimers();
});

describe('a live connection', () => {
  it('joins its person’s room, and says when nothing is missed any more', async () => {
    await open();
    socket.tell('connect');
    expect(socket.joins).toEqual([EMAIL]);
    expect(handlers.onJoined).toHaveBeenCalledOnce();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('says whether changes are announced at this moment', async () => {
    await open();
    expect(isLive.get()).toBe(false);
    socket.tell('connect');
    expect(isLive.get()).toBe(true);
    socket.tell('disconnect', 'transport close');
    expect(isLive.get()).toBe(false);
    socket.tell('connect');
    live.close();
    expect(isLive.get()).toBe(false);
  });

  it('catches up after each time it comes back', async () => {
    await open();
    socket.tell('connect');
    socket.tell('disconnect', 'transport close');
    socket.tell('connect');
    expect(handlers.onJoined).toHaveBeenCalledTimes(2);
  });

  it('is said to be lost after ten seconds, and not for a blink', async () => {
    await open();
    socket.tell('connect');
    socket.tell('disconnect', 'transport close');
    await vi.advanceTimersByTimeAsync(9_000);
    expect(isLiveLost.get()).toBe(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(isLiveLost.get()).toBe(true);
    socket.tell('connect');
    expect(isLiveLost.get()).toBe(false);
  });

  it('is said to be lost where it never came', async () => {
    await open();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(isLiveLost.get()).toBe(true);
  });

  it('polls every 30 seconds while it is lost, and no longer', async () => {
    await open();
    socket.tell('connect');
    await vi.advanceTimersByTimeAsync(120_000);
    expect(handlers.onPoll).not.toHaveBeenCalled();
    socket.tell('disconnect', 'transport close');
    await vi.advanceTimersByTimeAsync(95_000);
    expect(handlers.onPoll).toHaveBeenCalledTimes(3);
    socket.tell('connect');
    await vi.advanceTimersByTimeAsync(95_000);
    expect(handlers.onPoll).toHaveBeenCalledTimes(3);
  });

  it('tries again where the server refused it, since the library does not', async () => {
    await open();
    socket.active = false;
    socket.tell('connect_error', new Error('unauthorized'));
    expect(handlers.onRefused).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(socket.connects).toBe(2);
  });

  it('leaves a lost line to the library', async () => {
    await open();
    socket.tell('connect_error', new Error('xhr poll error'));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(socket.connects).toBe(1);
    expect(handlers.onRefused).not.toHaveBeenCalled();
  });

  it('connects anew after a sleep, without taking that for a refusal', async () => {
    await open();
    socket.tell('connect');
    socket.active = false;
    live.renew();
    expect(socket.connects).toBe(2);
    expect(handlers.onRefused).not.toHaveBeenCalled();
  });

  it('leaves no timer and no listener behind, in whatever state it is closed', async () => {
    const states = [
      () => undefined,
      () => socket.tell('connect'),
      () => socket.tell('disconnect', 'transport close'),
      () => {
        socket.active = false;
        socket.tell('connect_error', new Error('unauthorized'));
      },
    ];
    for (const bring of states) {
      socket = new FakeSocket();
      await open();
      bring();
      live.close();
      expect(vi.getTimerCount()).toBe(0);
      expect(socket.listeners.size).toBe(0);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(socket.connects).toBe(1);
    }
  });

  it('opens no socket that comes after it was closed, and no banner stays', async () => {
    live = new LiveConnection(EMAIL, handlers, () => Promise.resolve(socket as unknown as Socket));
    live.close();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(socket.connects).toBe(0);
    expect(isLiveLost.get()).toBe(false);
  });

  it('fetches the library again when that failed', async () => {
    let failures = 1;
    live = new LiveConnection(EMAIL, handlers, () =>
      failures-- > 0 ? Promise.reject(new Error('gone')) : Promise.resolve(socket as unknown as Socket),
    );
    await vi.advanceTimersByTimeAsync(15_000);
    expect(socket.connects).toBe(1);
  });
});
