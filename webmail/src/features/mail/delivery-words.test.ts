import { describe, expect, it } from 'vitest';
import { describeTls } from './delivery-words.ts';

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
