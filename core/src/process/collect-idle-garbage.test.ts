import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

/**
 * Works for two periods, rests for three, and says when the whole heap was collected. A period is
 * so long that a collection does not take most of it, on a crowded machine either: it would count
 * as work.
 */
const program = `
  import { constants, PerformanceObserver } from 'node:perf_hooks';
  import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
  import { collectIdleGarbage } from '${import.meta.resolve('./collect-idle-garbage.ts')}';

  const collected = [];
  new PerformanceObserver((list) => {
    for (const { startTime, detail } of list.getEntries()) {
      if (detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR) collected.push(startTime);
    }
  }).observe({ entryTypes: ['gc'] });
  // The collection some time after the start is not looked for here
  const { setTimeout } = globalThis;
  globalThis.setTimeout = () => ({ unref: () => undefined });
  collectIdleGarbage({ lengthMs: 1000, busyShare: 0.9, quietShare: 0.3 });
  globalThis.setTimeout = setTimeout;
  let now = performance.now();
  for (const end = now + 2100; now < end; now = performance.now()) {
    for (const rest = now + 20; performance.now() < rest; ) Math.random();
    // Not a timer: on a crowded machine the process would look idle until it is woken
    await turn();
  }
  await wait(3000);
  console.log(JSON.stringify({ workUntil: now, collected }));
`;

it('gives memory back once after work, and not while there is work', async () => {
  // So much room that V8 collects nothing of its own accord, as it may while a slow start goes on
  const roomy = ['--initial-heap-size=256', '--no-memory-reducer'];
  const args = [...roomy, '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const { workUntil, collected } = JSON.parse(stdout) as { workUntil: number; collected: number[] };
  const [first = 0, last = 0] = [collected.at(0), collected.at(-1)];
  expect(first).toBeGreaterThan(workUntil);
  // V8 goes over the heap more than once at a time; the next one could begin a period later
  expect(last - first).toBeLessThan(900);
});
