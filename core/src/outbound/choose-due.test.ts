import { describe, expect, it } from 'vitest';
import { chooseDue, type Room } from './choose-due.ts';
import type { DueDelivery } from './find-due.ts';

/** One delivery of a message of its own to each of these domains. */
function dueTo(...domains: string[]): DueDelivery[] {
  return domains.map(
    (recipientDomain, n) => ({ id: String(n), messageId: String(n), recipientDomain }) as unknown as DueDelivery,
  );
}

function choose(due: DueDelivery[], room: Partial<Room>, running: Record<string, number> = {}): string[] {
  const whole: Room = { transfers: 20, reserved: 0, perDomain: 5, forDown: 20, isDown: () => false, ...room };
  return chooseDue(due, whole, new Map(Object.entries(running))).map(({ recipientDomain }) => recipientDomain);
}

describe('chooseDue', () => {
  it('takes one of each domain before a second of any', () => {
    expect(choose(dueTo('a.test', 'a.test', 'b.test'), { transfers: 2 })).toEqual(['a.test', 'b.test']);
  });

  it('keeps to the limit of a domain, with what is under way elsewhere', () => {
    expect(choose(dueTo('a.test', 'a.test', 'a.test'), { perDomain: 2 }, { 'a.test': 1 })).toEqual(['a.test']);
  });

  it('gives a domain that is down one transfer at a time', () => {
    const isDown = (domain: string) => domain === 'dead.test';
    const due = dueTo('dead.test', 'dead.test', 'a.test', 'a.test');
    expect(choose(due, { isDown })).toEqual(['dead.test', 'a.test', 'a.test']);
    expect(choose(due, { isDown }, { 'dead.test': 1 })).toEqual(['a.test', 'a.test']);
  });

  it('leaves room for the others however many domains are down', () => {
    const dead = Array.from({ length: 50 }, (_, n) => `dead${n}.test`);
    const isDown = (domain: string) => domain.startsWith('dead');
    const chosen = choose(dueTo(...dead, 'a.test'), { isDown, forDown: 10 });
    expect(chosen).toHaveLength(11);
    expect(chosen).toContain('a.test');
  });
});
