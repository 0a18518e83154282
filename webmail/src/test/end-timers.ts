import { afterAll } from 'vitest';

/*
 * A page takes its timers along when it goes. Those of the simulated browser are Node's: one that
 * fires after the last test, without a document any more, is an error that fails the whole run.
 */
const { setTimeout: begin, clearTimeout: end } = globalThis;
const begun = new Set<ReturnType<typeof begin>>();
globalThis.setTimeout = Object.assign((...args: Parameters<typeof begin>) => {
  const timer = begin(...args);
  begun.add(timer);
  return timer;
}, begin);
afterAll(() => begun.forEach((timer) => end(timer)));
