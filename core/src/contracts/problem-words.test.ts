import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { problemWords } from './problem-words.ts';

describe('what is wrong with a value', () => {
  it.each([
    [z.string(), undefined, 'This is missing'],
    [z.enum(['a', 'b']), undefined, 'This is missing'],
    [z.string(), 7, 'This must be text'],
    [z.string(), null, 'This must be text'],
    [z.number(), 'seven', 'This must be a number'],
    [z.int(), 1.5, 'This must be a whole number'],
    [z.boolean(), 'yes', 'This must be true or false'],
    [z.array(z.string()), {}, 'This must be a list'],
    [z.object({}), [], 'This must be an object with fields'],
    [z.record(z.string(), z.string()), 'x', 'This must be an object with fields'],
    [z.date(), 'today', 'This must be a date'],
    [z.null(), 0, 'This must be null'],
    [z.map(z.string(), z.string()), 0, 'This must be of the type map'],
    [z.enum(['a', 'b', 'c']), 'd', 'This must be a, b or c'],
    [z.literal('a'), 'd', 'This must be a'],
    [z.literal(''), 'd', 'This must be empty'],
    [z.enum(['', 'a']), 'd', 'This must be empty or a'],
    [z.string().max(2), 'abc', 'This has at most 2 characters'],
    [z.string().min(1), '', 'This has at least 1 character'],
    [z.array(z.string()).max(1), ['a', 'b'], 'This has at most 1 entry'],
    [z.number().max(100), 101, 'This is at most 100'],
    [z.number().min(1), 0, 'This is at least 1'],
    [z.strictObject({}), { a: 1, b: 2 }, 'There is no field called a or b'],
    [z.url(), 'x', 'This is not valid'],
  ])('is said in plain words: %#', (schema, value, words) => {
    expect(schema.safeParse(value, { error: problemWords }).error?.issues[0]?.message).toBe(words);
  });

  it('is said in the words of the schema where it has some', () => {
    const schema = z.string({ error: 'Name is required' }).max(2, 'Name is too long');
    const wordsFor = (value: unknown) => schema.safeParse(value, { error: problemWords }).error?.issues[0]?.message;
    expect(wordsFor(undefined)).toBe('Name is required');
    expect(wordsFor('abc')).toBe('Name is too long');
  });

  it('stays short, however many unknown fields there are', () => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}${'x'.repeat(500)}`, 1]));
    const [issue] = z.strictObject({}).safeParse(many, { error: problemWords }).error?.issues ?? [];
    expect(issue?.message.length).toBeLessThan(1200);
  });
});
