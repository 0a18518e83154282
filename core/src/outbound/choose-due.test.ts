import { describe, expect, it } from 'vitest';
import { ampleRoom } from '../../../tests/support/claim-one.ts';
import { chooseDue, type Room } from './choose-due.ts';
import type { DueDelivery } from './find-due.ts';

/** One delivery of a message of its own to each of these domains. */
function dueTo(...domains: string[]): DueDelivery[] {
  return domains.map((recipientDomain, n) => ({
    id: String(n),
    messageId: String(n),
    forwardedFor: null,
    recipientDomain,
    attempts: 0,
    isHosted: recipientDomain.startsWith('here'),
    isAutomatic: recipientDomain.startsWith('absent'),
  }));
}

function choose(due: DueDelivery[], room: Partial<Room>, running: Record<string, number> = {}): string[] {
  const whole: Room = { ...ampleRoom, transfers: 20, perDomain: 5, forDown: 20, ...room };
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

  it('counts automatic messages to names below one registered domain together, for each of its limits', () => {
    const due = dueTo('absent1.many.test', 'absent2.many.test', 'absent3.many.test', 'other.test');
    expect(choose(due, { perDomain: 2 })).toEqual(['absent1.many.test', 'other.test', 'absent2.many.test']);
    expect(choose(due, { perDomain: 2 }, { 'x.many.test': 2 })).toEqual(['other.test']);
    expect(choose(due, { transfers: 5, reserved: 5 }, { 'x.many.test': 1 })).toEqual(['other.test']);
    const isDown = (name: string) => name === 'answers many.test';
    expect(choose(due, { isDown })).toEqual(['absent1.many.test', 'other.test']);
  });

  it('counts mail of people by its own domain, whatever waits for names below it', () => {
    const dead = Array.from({ length: 100 }, () => 'www.large.test');
    const isDown = (name: string) => name === 'www.large.test' || name === 'answers large.test';
    const due = dueTo(...dead, 'large.test');
    expect(choose(due, { isDown })).toEqual(['www.large.test', 'large.test']);
    expect(choose(due, { isDown, perDomain: 2 }, { 'www.large.test': 2 })).toEqual(['large.test']);
  });

  it('keeps to the limit of a domain with people and answers together', () => {
    const due = dueTo('absent.test', 'absent.test', 'absent.test');
    const people = due.map((row) => ({ ...row, id: `p${row.id}`, messageId: `p${row.id}`, isAutomatic: false }));
    expect(choose([...due, ...people], { perDomain: 4 })).toHaveLength(4);
    expect(choose([...due, ...people], { perDomain: 4 }, { 'absent.test': 3 })).toHaveLength(1);
  });

  it('lets an answer to a domain that is down begin while other mail flows there', () => {
    const isDown = (name: string) => name === 'answers absent.test';
    expect(choose(dueTo('absent.test', 'absent.test'), { isDown }, { 'absent.test': 3 })).toEqual(['absent.test']);
  });

  it('always has room for hosted domains, and counts each of them by itself', () => {
    const due = dueTo('here.shop.test', 'here2.shop.test', 'far.test');
    expect(choose(due, { transfers: 0 })).toEqual(['here.shop.test', 'here2.shop.test']);
    expect(choose(due, { hosted: 1 })).toEqual(['here.shop.test', 'far.test']);
    expect(choose(due, { perDomain: 1 }, { 'here.shop.test': 1 })).toEqual(['here2.shop.test', 'far.test']);
  });

  it('keeps automatic messages to their share, and some of it for domains that are not down', () => {
    const due = dueTo('absent1.test', 'absent2.test', 'absent3.test', 'a.test');
    expect(choose(due, { automatic: 2 })).toEqual(['absent1.test', 'absent2.test', 'a.test']);
    const isDown = (name: string) => name !== 'answers absent3.test';
    expect(choose(due, { automatic: 2, automaticReserved: 1, isDown })).toEqual([
      'absent1.test',
      'absent3.test',
      'a.test',
    ]);
  });

  it('chooses what comes after an automatic message that has to wait', () => {
    const [answer, mail] = dueTo('absent.a.test', 'a.test');
    expect(
      choose(
        [answer, mail].flatMap((one) => one ?? []),
        { automatic: 0 },
      ),
    ).toEqual(['a.test']);
  });
});
