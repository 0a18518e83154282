import { describe, expect, it } from 'vitest';
import { readMailto } from './mailto.ts';

const nothing = { cc: [], subject: '', text: '' };

describe('readMailto', () => {
  it.each([
    ['mailto:a@x.test', { ...nothing, to: ['a@x.test'] }],
    ['mailto:a@x.test,%20b%40x.test?to=c@x.test', { ...nothing, to: ['a@x.test', 'b@x.test', 'c@x.test'] }],
    ['mailto:a@x.test;%20b@x.test;', { ...nothing, to: ['a@x.test', 'b@x.test'] }],
    ['MAILTO:a@x.test?CC=b@x.test&Bcc=c@x.test&From=d@x.test', { ...nothing, to: ['a@x.test'], cc: ['b@x.test'] }],
    [
      'mailto:a@x.test?subject=100%&body=a%0D%0Ab%3Db',
      { ...nothing, to: ['a@x.test'], subject: '100%', text: 'a\nb=b' },
    ],
    ['mailto:a@x.test?subject=a%0D%0ABcc:%20b@x.test', { ...nothing, to: ['a@x.test'], subject: 'a Bcc: b@x.test' }],
    ['mailto:?subject=x', null],
    ['mailto:not an address', null],
    ['mailto:%0D%0A', null],
    ['javascript:alert(1)', null],
    ['', null],
  ])('reads %j', (href, expected) => {
    expect(readMailto(href)).toEqual(expected);
  });

  it('bounds what it takes', () => {
    const many = Array.from({ length: 500 }, (_, index) => `p${index}@x.test`).join(',');
    const prepared = readMailto(`mailto:${many}?subject=${'x'.repeat(9000)}`);
    expect([prepared?.to?.length, prepared?.subject.length]).toEqual([50, 2000]);
  });
});
