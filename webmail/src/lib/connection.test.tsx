import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { noteAnswer, reach, watchConnection } from './connection.ts';

let status = 0;
const probe = vi.fn((_url: string) =>
  status === 0 ? Promise.reject(new TypeError('network')) : Promise.resolve(new Response('', { status })),
);

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', probe);
  probe.mockClear();
  status = 0;
  noteAnswer(200);
});
afterEach(() => {
  noteAnswer(200);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe('the server', () => {
  it('counts as away after two failures in a row, not after one', () => {
    noteAnswer(0);
    expect(reach.get()).toBe('up');
    noteAnswer(200);
    noteAnswer(503);
    expect(reach.get()).toBe('up');
    noteAnswer(502);
    expect(reach.get()).toBe('away');
  });

  it.each([200, 400, 401, 404, 408, 422, 429, 500])('is there when it answers %d', (answer) => {
    noteAnswer(0);
    noteAnswer(0);
    noteAnswer(answer);
    expect(reach.get()).toBe('up');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is asked soon after a first failure, so that one is not left open', async () => {
    noteAnswer(0);
    await vi.advanceTimersByTimeAsync(1_300);
    expect(probe).toHaveBeenCalledWith('/health/ready', expect.anything());
    expect(reach.get()).toBe('away');
  });

  it('is asked ever more slowly while it is away, and no more once it answers', async () => {
    noteAnswer(0);
    noteAnswer(0);
    await vi.advanceTimersByTimeAsync(10_000);
    const early = probe.mock.calls.length;
    await vi.advanceTimersByTimeAsync(600_000);
    const late = probe.mock.calls.length - early;
    expect(early).toBeGreaterThanOrEqual(2);
    // Every 22 to 38 seconds
    expect(late).toBeLessThanOrEqual(29);
    expect(late).toBeGreaterThanOrEqual(15);
    status = 200;
    await vi.advanceTimersByTimeAsync(40_000);
    expect(reach.get()).toBe('up');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('is away as long as it answers that it cannot work', async () => {
    status = 503;
    noteAnswer(503);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reach.get()).toBe('away');
  });
});

describe('the browser’s word about its network', () => {
  it('is checked, not believed', async () => {
    const stop = watchConnection();
    status = 200;
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
    window.dispatchEvent(new Event('offline'));
    await vi.advanceTimersByTimeAsync(0);
    expect(probe).toHaveBeenCalledOnce();
    expect(reach.get()).toBe('up');
    status = 0;
    window.dispatchEvent(new Event('offline'));
    await vi.advanceTimersByTimeAsync(0);
    // One failure is enough when the browser sees no network either
    expect(reach.get()).toBe('away');
    status = 200;
    window.dispatchEvent(new Event('online'));
    await vi.advanceTimersByTimeAsync(0);
    expect(reach.get()).toBe('up');
    stop();
    vi.restoreAllMocks();
  });
});
