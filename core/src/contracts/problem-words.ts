import type { z } from 'zod';

/**
 * The message for an invalid value, where its schema has none. Zod's own messages name types of
 * JavaScript, which say nothing to the person or the program that sent the value.
 */
export const problemWords: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined ? 'This is missing' : `This must be ${kindOf(issue.expected)}`;
    case 'invalid_value':
      return issue.input === undefined ? 'This is missing' : `This must be ${oneOf(issue.values.map(String))}`;
    case 'too_big':
      return `This ${verbOf(issue.origin)} at most ${amountOf(issue.maximum, issue.origin)}`;
    case 'too_small':
      return `This ${verbOf(issue.origin)} at least ${amountOf(issue.minimum, issue.origin)}`;
    case 'unrecognized_keys':
      return `There is no field called ${oneOf(issue.keys)}`;
    default:
      return 'This is not valid';
  }
};

const kinds: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object with fields',
  record: 'an object with fields',
  date: 'a date',
  null: 'null',
};

function kindOf(expected: string): string {
  return kinds[expected] ?? `of the type ${expected}`;
}

const units: Record<string, [one: string, many: string]> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  file: ['byte', 'bytes'],
};

/** "has at most 200 characters", "is at most 200". */
function verbOf(origin: string): string {
  return origin in units ? 'has' : 'is';
}

function amountOf(bound: number | bigint, origin: string): string {
  const unit = units[origin]?.[Number(bound) === 1 ? 0 : 1];
  return unit === undefined ? String(bound) : `${bound} ${unit}`;
}

/** "a, b or c", of at most ten: the caller may have sent thousands. */
function oneOf(names: readonly string[]): string {
  const shown = names.slice(0, 10).map((name) => name.slice(0, 100) || 'empty');
  const last = shown.pop() ?? '';
  return shown.length === 0 ? last : `${shown.join(', ')} or ${last}`;
}
