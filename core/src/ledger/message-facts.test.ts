import { describe, expect, it } from 'vitest';
import { arrivalBy, type Facts, readFacts, writeFacts } from './message-facts.ts';

const facts: Facts = {
  arrival: arrivalBy({ helo: 'mx.remote.test', address: '192.0.2.7', protocol: 'ESMTPS', tls: 'TLSv1.3 TLS_AES' }),
  checks: {
    spf: { result: 'pass', domain: 'remote.test' },
    dkim: [{ result: 'fail', domain: 'list.test' }],
    dmarc: { result: 'fail', policy: 'quarantine' },
  },
  placement: { by: 'dmarc', folder: 'junk' },
};

describe('the facts of a row of the ledger', () => {
  it('are read as they were written, in few letters', () => {
    const text = writeFacts(facts) ?? '';
    expect(readFacts(text)).toEqual(facts);
    expect(text.length).toBeLessThan(180);
    const nothing = { arrival: null, checks: null, placement: null };
    expect(writeFacts(nothing)).toBeNull();
    for (const one of [
      { ...facts, arrival: null },
      { ...facts, checks: null },
      { ...facts, placement: null },
    ]) {
      expect(readFacts(writeFacts(one) ?? '')).toEqual(one);
    }
  });

  it('say by the protocol or by TLS whether a connection was encrypted', () => {
    const encrypted = (protocol: string, tls: string | null = null) =>
      arrivalBy({ helo: null, address: null, protocol, tls }).isEncrypted;
    expect(['SMTP', 'ESMTP', 'ESMTPA'].map((protocol) => encrypted(protocol))).toEqual([false, false, false]);
    expect(['ESMTPS', 'ESMTPSA', 'HTTPS'].map((protocol) => encrypted(protocol))).toEqual([true, true, true]);
    expect(encrypted('SMTP', 'TLSv1.3')).toBe(true);
  });

  it.each<[string, string]>([
    ['letters', 'x'],
    ['quotes', '"'],
    ['lines', '\r\n'],
    ['halves of a letter', '\ud83d'],
    ['wide letters', '😀'],
  ])('fit into their column whatever a peer says: %s', (_what, letter) => {
    const long = letter.repeat(5000);
    const hostile: Facts = {
      arrival: arrivalBy({ helo: long, address: long, protocol: 'ESMTPS', tls: long }),
      checks: {
        spf: { result: 'fail', domain: long },
        dkim: Array.from({ length: 100 }, () => ({ result: 'fail', domain: long })),
        dmarc: { result: 'fail', policy: 'reject' },
      },
      placement: { by: 'filter', folder: 'own' },
    };
    const text = writeFacts(hostile) ?? '';
    expect(text.length).toBeLessThanOrEqual(1000);
    const read = readFacts(text);
    expect(read.placement).toEqual(hostile.placement);
    expect(read.checks).toMatchObject({ spf: { result: 'fail' }, dmarc: { result: 'fail', policy: 'reject' } });
  });

  it('keep the first signatures of many', () => {
    const dkim = Array.from({ length: 30 }, (_, n) => ({ result: 'pass', domain: `d${n}.test` }));
    const kept = readFacts(writeFacts({ ...facts, checks: { ...facts.checks!, dkim } }) ?? '').checks?.dkim;
    expect(kept).toEqual(dkim.slice(0, 5));
  });
});
