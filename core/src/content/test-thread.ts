import { parentPort } from 'node:worker_threads';
import { MessageTooComplex } from '../mail/parsed-message.ts';
import type { ThreadAnswer, ThreadRequest } from './thread-messages.ts';

/** What a hostile message can make a thread do, for the tests of the pool. */
const deeds: Record<string, (input: unknown) => unknown> = {
  echo: (input) => input,
  loop: () => {
    for (;;);
  },
  // Each further letter doubles the time
  expression: () => /^(a+)+$/.test(`${'a'.repeat(40)}b`),
  memory: () => {
    const kept: string[][] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => `${kept.length} ${index}`));
  },
  buffers: () => {
    const kept: Buffer[] = [];
    const clock = new Int32Array(new SharedArrayBuffer(4));
    for (;;) {
      if (kept.length < 32) kept.push(Buffer.alloc(8_388_608));
      Atomics.wait(clock, 0, 0, 5);
    }
  },
  die: () => process.exit(3),
};

const port = parentPort;
port?.on('message', ({ task, input }: ThreadRequest) => {
  const answer = (message: ThreadAnswer) => port?.postMessage(message);
  if (task === 'wait') return;
  if (task === 'refuse') answer({ kind: 'too_complex', reason: new MessageTooComplex('too_deep').reason });
  else if (task === 'give_up') answer({ kind: 'failed', message: 'too slow', code: 'unavailable' });
  else answer({ kind: 'done', result: deeds[task]?.(input) });
});
port?.postMessage({ kind: 'ready' } satisfies ThreadAnswer);
