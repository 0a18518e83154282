import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { isPersonName } from './person-name.ts';
import { requiredLine } from './records.ts';

describe('the name of a person', () => {
  it.each([
    "O'Brien",
    'O’Brien',
    'O´Brien',
    "d'Arc",
    'Anne-Marie',
    'Anne\u2010Marie',
    'Łukasz Żółć',
    'محمد',
    'می\u200cنا',
    'नेहा',
    'ക്\u200dഷ',
    'ג׳ורג׳',
    'Gal·la',
    'マリー・テレーズ',
    '李小龍',
    'J. R. R.',
    "Hawai'i ʻĀina",
    'e\u0301lodie',
  ])('may be %j', (name) => {
    expect(isPersonName(name)).toBe(true);
  });

  it.each(['R2 D2', 'x_y', 'a@b', 'Ann <b>', 'Ann "B"', 'Ann, B', 'Ann\u0000B', 'Ann\u202eB', 'Ann 🧵'])(
    'is not %j',
    (name) => {
      expect(isPersonName(name)).toBe(false);
    },
  );
});

describe('a text of one line', () => {
  const line: z.ZodType<string> = requiredLine('Needed', 20);

  it.each(['two\nlines', 'a\rb', 'a\tb', 'a\u0000b', 'a\u007fb', 'a\u0085b', 'a\u2028b', 'a\u202eb'])(
    'is not %j',
    (text) => {
      expect(line.safeParse(text).error?.issues).toMatchObject([{ message: 'One line without control characters' }]);
    },
  );

  it.each(['42 High St., Leeds', 'שלום\u200f', '\n trimmed\n'])('may be %j', (text) => {
    expect(line.parse(text)).toBe(text.trim());
  });
});
