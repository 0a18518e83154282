import { systemContext } from '@selvage/core/context/context';
import { MemoryBudget } from '@selvage/core/memory-budget';
import type { App } from '@selvage/core/context/app';
import { describe, expect, it } from 'vitest';
import { CallMemory, holdForCall } from './call-memory.ts';

const mega = 1_048_576;
const refused = expect.objectContaining({ status: 503, code: 'too_much_at_once' });

function setUp() {
  const memory = new MemoryBudget({ bytes: 10 * mega, bytesPerSource: 6 * mega, slots: 10, slotsPerSource: 10 });
  const app = { memory } as App;
  return { memory, begin: () => new CallMemory({ ...systemContext(app), address: '192.0.2.1' }) };
}

describe('the memory of a call', () => {
  it('grows with what the call takes into its message, and is free once its work has ended', async () => {
    const { memory, begin } = setUp();
    const call = begin();
    call.hold(2 * mega);
    const held = await call.run(async () => {
      holdForCall(1 * mega);
      await Promise.resolve();
      holdForCall(2 * mega);
      return memory.bytes;
    });
    expect(held).toBe(5 * mega);
    expect(memory.bytes).toBe(0);
  });

  it('is free when the work fails', async () => {
    const { memory, begin } = setUp();
    const failing = begin().run(() => {
      holdForCall(2 * mega);
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(memory.bytes).toBe(0);
  });

  it('is at most what one source may have, so that the largest message can be sent', () => {
    const { memory, begin } = setUp();
    const call = begin();
    for (const megabytes of [4, 9, 9]) call.hold(megabytes * mega);
    expect(memory.bytes).toBe(6 * mega);
    call.release();
    begin().hold(50 * mega);
    expect(memory.bytes).toBe(6 * mega);
  });

  it('is refused while other calls of its source have the rest', () => {
    const { memory, begin } = setUp();
    begin().hold(4 * mega);
    const call = begin();
    call.hold(2 * mega);
    expect(() => call.hold(mega)).toThrow(refused);
    expect(() => begin().hold(mega)).toThrow(refused);
    call.release();
    expect(memory.bytes).toBe(4 * mega);
  });
});
