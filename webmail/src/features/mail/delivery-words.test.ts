import { describe, expect, it } from 'vitest';
import { describeSent, describeTls, isMoving, isUnderWay } from './delivery-words.ts';

describe('describeTls', () => {
  const protocol = 'TLSv1.3';
  it.each([
    [null, null],
    [{ state: 'none', by: null, protocol: null }, 'Sent without encryption.'],
    [{ state: 'encrypted', by: null, protocol }, 'Sent encrypted.'],
    [{ state: 'verified', by: 'mta_sts', protocol }, 'Sent encrypted; the server’s certificate was checked (MTA-STS).'],
    [{ state: 'verified', by: 'dane', protocol }, 'Sent encrypted; the server’s certificate was checked (DANE).'],
    [
      { state: 'verified', by: 'relay', protocol },
      'Sent encrypted through this host’s relay, whose certificate was checked.',
    ],
  ] as const)('says of %j: %s', (tls, sentence) => {
    expect(describeTls({ state: 'relayed', tls })).toBe(sentence);
  });

  it('says nothing of what was not sent', () => {
    expect(describeTls({ state: 'queued', tls: { state: 'none', by: null, protocol: null } })).toBeNull();
  });
});

describe('describeSent', () => {
  it.each([
    [{ state: 'relayed', recipients: 3, failed: 0, delayed: 0 }, 'Delivered', 'good'],
    [{ state: 'bounced', recipients: 3, failed: 1, delayed: 0 }, 'Failed for 1 of 3', 'bad'],
    [{ state: 'bounced', recipients: 3, failed: 1, delayed: 2 }, 'Failed for 1 of 3', 'bad'],
    [{ state: 'bounced', recipients: 2, failed: 2, delayed: 0 }, 'Not delivered', 'bad'],
    [{ state: 'queued', recipients: 2, failed: 0, delayed: 0 }, 'On its way', 'waiting'],
    [{ state: 'queued', recipients: 2, failed: 0, delayed: 2 }, 'Delayed', 'waiting'],
    [{ state: 'queued', recipients: 2, failed: 0, delayed: 1 }, 'Delayed for 1 of 2', 'waiting'],
    [{ state: 'held', recipients: 1, failed: 0, delayed: 0 }, 'Sending', 'held'],
    [{ state: 'held', recipients: 2, failed: 0, delayed: 0, kept_back: 1 }, 'Held', 'held'],
    [{ state: 'queued', recipients: 2, failed: 0, delayed: 0, kept_back: 1 }, 'On its way', 'waiting'],
  ] as const)('says of %j: %s', (sent, word, kind) => {
    expect(describeSent({ kept_back: 0, ...sent })).toMatchObject({ word, kind });
  });
});

describe('a message is asked for again', () => {
  it.each([
    ['queued', 0, true],
    ['queued', 1, true],
    ['held', 0, true],
    ['held', 1, false],
    ['relayed', 0, false],
    ['bounced', 0, false],
  ] as const)('while it may go on by itself: %s with %i kept back', (state, kept_back, expected) => {
    expect(isUnderWay({ state, kept_back })).toBe(expected);
  });

  it('for each of its recipients, but not while an administrator holds it back', () => {
    expect(isMoving({ state: 'held', reason: 'held_by_administrator' })).toBe(false);
    expect(isMoving({ state: 'held', reason: 'held_for_undo' })).toBe(true);
    expect(isMoving({ state: 'stored', reason: 'stored_locally' })).toBe(false);
  });
});
