import { describe, expect, it } from 'vitest';
import { linesOfRecord, nameWithin } from './record-lines.ts';

describe('the name without the domain', () => {
  it.each([
    ['_selvage.mill.test', '_selvage'],
    ['default._domainkey.mill.test', 'default._domainkey'],
    ['mill.test', '@'],
    ['host.test', null],
    ['not-mill.test', null],
    ['test', null],
  ])('of %s is %s', (name, short) => {
    expect(nameWithin(name, 'mill.test')).toBe(short);
  });
});

describe('the lines of a record', () => {
  const textsOf = (...args: Parameters<typeof linesOfRecord>) =>
    linesOfRecord(...args).map(({ term, text }) => [term, text]);

  it('part the priority of an MX record from its server, whose last dot most forms refuse', () => {
    const record = { type: 'MX', name: 'mill.test', content: '10 host.test.' };
    expect(textsOf(record, 'mill.test')).toEqual([
      ['Record name', 'mill.test'],
      ['Name without the domain', '@'],
      ['Type', 'MX'],
      ['Priority', '10'],
      ['Mail server', 'host.test'],
    ]);
  });

  it('leave other values whole, and name nothing below another domain', () => {
    const record = { type: 'A', name: 'host.test', content: '192.0.2.1' };
    expect(textsOf(record, 'mill.test')).toEqual([
      ['Record name', 'host.test'],
      ['Type', 'A'],
      ['Value', '192.0.2.1'],
    ]);
    expect(textsOf({ ...record, type: 'SRV', content: '0 1 465 host.test.' }, 'mill.test').at(-1)).toEqual([
      'Value',
      '0 1 465 host.test.',
    ]);
  });
});
