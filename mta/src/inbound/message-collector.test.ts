import { describe, expect, it } from 'vitest';
import { MessageCollector } from './message-collector.ts';

describe('MessageCollector', () => {
  it('keeps every byte but the stuffed dots', () => {
    const collector = new MessageCollector(100);
    for (const line of ['a: b\r\n', '\r\n', '..x\r\n', '.y\r\n', 'z. \r\n']) collector.add(Buffer.from(line));
    expect(collector.finish()).toEqual({ kind: 'complete', raw: Buffer.from('a: b\r\n\r\n.x\r\ny\r\nz. \r\n') });
  });

  it('lets go of a message that grows beyond the limit', () => {
    const collector = new MessageCollector(10);
    collector.add(Buffer.alloc(8));
    collector.add(Buffer.alloc(8));
    expect(collector.finish()).toEqual({ kind: 'too_large' });
  });

  it('takes a message of exactly the limit', () => {
    const collector = new MessageCollector(10);
    collector.add(Buffer.alloc(10));
    expect(collector.finish().kind).toBe('complete');
  });
});
