import { describe, expect, it } from 'vitest';
import { senderMailbox } from './senders.ts';

describe('the sender in a quote', () => {
  it.each([
    ['Anna', 'anna@mills.example', 'Anna <anna@mills.example>'],
    ['anna@mills.example', 'anna@mills.example', 'anna@mills.example'],
    ['Mail Delivery System', '', 'Mail Delivery System'],
    ['', '', 'Unknown sender'],
  ])('has no more than the message says: %j %j', (sender_name, sender_email, shown) => {
    expect(senderMailbox({ sender_name, sender_email })).toBe(shown);
  });
});
