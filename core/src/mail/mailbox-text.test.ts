import { describe, expect, it } from 'vitest';
import { cpuTimeMs } from '../../../tests/support/cpu-time.ts';
import { readMailbox, writeMailbox } from './mailbox-text.ts';

const address = 'priya@mills.example';

describe('writeMailbox', () => {
  it.each([
    ['', address],
    ['Priya Raman', `Priya Raman <${address}>`],
    ['Raman, Priya', `"Raman, Priya" <${address}>`],
    ['The "Loom" \\ Ltd.', `"The \\"Loom\\" \\\\ Ltd." <${address}>`],
    ['eve@evil.example', `"eve@evil.example" <${address}>`],
    ['प्रिया 🧶', `प्रिया 🧶 <${address}>`],
  ])('writes the name %j so that it can be read again', (name, text) => {
    expect(writeMailbox({ name, address })).toBe(text);
    expect(readMailbox(text)).toEqual({ name, address });
  });
});

describe('readMailbox', () => {
  it('reads a long text in time that grows with its length alone', () => {
    const text = `a${' '.repeat(200_000)}>`;
    const start = cpuTimeMs();
    expect(readMailbox(text)).toEqual({ name: '', address: text });
    expect(cpuTimeMs() - start).toBeLessThan(100);
  });

  it('takes a text without angle brackets for an address', () => {
    expect(readMailbox(' priya@mills.example ')).toEqual({ name: '', address });
    expect(readMailbox('Priya priya@mills.example')).toEqual({ name: '', address: 'Priya priya@mills.example' });
    expect(readMailbox(`<${address}>`)).toEqual({ name: '', address });
  });

  it.each([
    'eve@evil.example, Priya <priya@mills.example>',
    'eve@evil.example <priya@mills.example>',
    'Eve <eve@evil.example> <priya@mills.example>',
    '"Eve" <eve@evil.example>, "Priya" <priya@mills.example>',
    '"Priya" Raman <priya@mills.example>',
    'Mills: Priya <priya@mills.example>',
    'Priya (the boss) <priya@mills.example>',
  ])('guesses nothing about %j', (text) => {
    expect(readMailbox(text)).toBeNull();
  });
});
