import { domainToASCII } from 'node:url';
import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { isMistakenFor, looksOf, resemblingLooks } from './alike-domains.ts';

const deceptions: [string, string, string][] = [
  ['a digit for a letter', 'w00lworks.com', 'woolworks.com'],
  ['two letters that look like one', 'acrne.com', 'acme.com'],
  ['a Cyrillic letter', domainToASCII('wооlworks.com'), 'woolworks.com'],
  ['a Cyrillic letter in a short name', domainToASCII('hрb.com'), 'hpb.com'],
  ['an accent', domainToASCII('woolwörks.com'), 'woolworks.com'],
  ['an IDN that loses its accent', 'mullerwolle.de', domainToASCII('müllerwolle.de')],
  ['a letter more', 'woolworkss.com', 'woolworks.com'],
  ['a letter less', 'woolwrks.com', 'woolworks.com'],
  ['another letter', 'woolwerks.com', 'woolworks.com'],
  ['letters that changed places', 'woolwroks.com', 'woolworks.com'],
  ['letters that changed places in the middle', 'wolowork.com', 'woolwork.com'],
  ['a digit more', 'woolworks1.com', 'woolworks.com'],
  ['a hyphen more', 'wool-works.com', 'woolworks.com'],
  ['a hyphen less', 'woolworks.com', 'wool-works.com'],
  ['another suffix', 'woolworks.net', 'woolworks.com'],
  ['a shorter suffix', 'woolworks.co', 'woolworks.com'],
  ['a suffix of two labels', 'woolworks.co.uk', 'woolworks.com'],
  ['a word behind a hyphen', 'woolworks-billing.com', 'woolworks.com'],
  ['a word in front', 'secure-woolworks.com', 'woolworks.com'],
  ['a word that is joined', 'woolworkssupport.com', 'woolworks.com'],
  ['two words', 'woolworks-accounts-team.com', 'woolworks.com'],
  ['the word that is missing', 'woolworks.com', 'woolworks-group.com'],
  ['a word and a digit for a letter', 'w0olworks-invoices.com', 'woolworks.com'],
  ['the beginning of a host', 'woolworks.com.evil.test', 'woolworks.com'],
  ['the beginning of a host, short', 'abc.com.evil.test', 'abc.com'],
  ['a host of the look-alike', 'mail.w00lworks.com', 'woolworks.com'],
  ['a name at a shared site', 'woolworks.github.io', 'woolworks.com'],
  ['a free host’s signs', 'grnail.com', 'gmail.com'],
  ['upper case', 'W00LWORKS.COM', 'woolworks.com'],
];

const honest: [string, string, string][] = [
  ['the same domain', 'woolworks.com', 'woolworks.com'],
  ['a sub-domain', 'mail.woolworks.com', 'woolworks.com'],
  ['another sub-domain', 'a.woolworks.co.uk', 'b.woolworks.co.uk'],
  ['free hosts', 'gmail.com', 'ymail.com'],
  ['a free host and one like it', 'mail.com', 'gmail.com'],
  ['a company that resembles a free host', 'outlock.com', 'outlook.com'],
  ['a known company that a free host resembles', 'yahoo.com', 'yahoos.com'],
  ['short names', 'abc.com', 'abd.com'],
  ['short names with another suffix', 'abc.com', 'abc.net'],
  ['words of five letters', 'apple.com', 'ample.com'],
  ['names with another first letter', 'hansen.dk', 'jansen.dk'],
  ['siblings', 'store17.example', 'store18.example'],
  ['a letter and another suffix', 'woolwerks.net', 'woolworks.com'],
  ['two letters', 'woalwerks.com', 'woolworks.com'],
  ['a family name in another one', 'smith-jones.com', 'smith.com'],
  ['a name that ends with a word', 'groupon.com', 'on.com'],
  ['other companies', 'weavers.example', 'knitters.example'],
  ['a host without a suffix', 'localhost', 'woolworks.com'],
  ['an address in place of a host', '192.0.2.1', '192.0.2.7'],
  ['nothing', '', 'woolworks.com'],
];

describe('isMistakenFor', () => {
  it.each(deceptions)('holds for %s, and one look at the keys finds it', (_what, host, known) => {
    expect(isMistakenFor(host, known)).toBe(true);
    const keys = new Set(looksOf(known));
    expect(resemblingLooks(host).some((look) => keys.has(look))).toBe(true);
  });

  it.each(honest)('does not hold for %s', (_what, host, known) => {
    expect(isMistakenFor(host, known)).toBe(false);
  });

  it('is found by the keys wherever one edit stands', () => {
    for (const known of ['woolwork.com', 'woolworks.com', 'abcdef.org', 'a-long-name-of-a-mill.co.uk']) {
      const [label = '', suffix = ''] = [known.slice(0, known.indexOf('.')), known.slice(known.indexOf('.'))];
      const keys = new Set(looksOf(known));
      for (let at = 1; at < label.length; at += 1) {
        const [front, rest] = [label.slice(0, at), label.slice(at)];
        const swapped = `${front}${rest[1] ?? ''}${rest[0] ?? ''}${rest.slice(2)}`;
        for (const edited of [`${front}q${rest}`, `${front}q${rest.slice(1)}`, front + rest.slice(1), swapped]) {
          const host = edited + suffix;
          if (!isMistakenFor(host, known)) continue;
          expect({ host, found: resemblingLooks(host).some((look) => keys.has(look)) }).toEqual({ host, found: true });
        }
      }
    }
  });

  it('has few keys, and stays fast on names made to be searched', () => {
    const long = `${'mail-'.repeat(12)}x.${'a.'.repeat(80)}example`;
    expect(looksOf('woolworks.com').length + resemblingLooks('woolworks.com').length).toBeLessThan(16);
    const started = cpuTimeMs();
    for (let times = 0; times < 200; times += 1) {
      isMistakenFor(long, 'woolworks.com');
      resemblingLooks(long);
    }
    expect(cpuTimeMs() - started).toBeLessThan(500);
  });
});
