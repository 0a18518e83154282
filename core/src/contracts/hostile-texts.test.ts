import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { emailAddress } from './fields.ts';
import { endpoints } from './registry.ts';

/*
 * A contract reads a body before its call looks at the captcha and at most limits. A pattern that
 * goes back over the text once for each character takes minutes for what fits into a body, and the
 * process answers no other caller meanwhile.
 */

const length = 20_000;
const signs = Array.from('.-_ \n@<"\'([{:;/\\%&*+a1é');
const groups = ['a@.', 'a@a.', 'a.', 'a-', ' .', 'a ', '0.', 'xn--', 'a=', 'a,', '<p ', 'https://', 'a@b.c,'];
/** What such a pattern begins well with and then refuses. */
const hostileTexts = [...signs, ...groups].flatMap((piece) => {
  const text = piece.repeat(length / piece.length);
  return [`${text}@`, `a@${text}@`, `${text}!`, `x${text}x`, `.a${text}\n`];
});

type Form = z.core.JSONSchema._JSONSchema;

/** Values of a form, each with the text in one place of it, also of what is nested in it. */
function placesOf(form: Form, text: string): unknown[] {
  if (typeof form === 'boolean') return [text];
  const { properties = {}, additionalProperties, items, prefixItems = [], anyOf = [], oneOf = [], allOf = [] } = form;
  const places: unknown[] = [...anyOf, ...oneOf, ...allOf].flatMap((part) => placesOf(part, text));
  for (const [name, part] of Object.entries(properties)) {
    places.push(...placesOf(part, text).map((value) => ({ [name]: value })));
  }
  if (typeof additionalProperties === 'object') {
    places.push({ [text]: null }, ...placesOf(additionalProperties, text).map((value) => ({ a: value })));
  }
  for (const part of [items ?? [], prefixItems].flat()) {
    places.push(...placesOf(part, text).map((value) => [value]));
  }
  return places.length > 0 ? places : [text];
}

/** Milliseconds that the processor works. */
function workOf(action: () => void): number {
  const before = process.threadCpuUsage();
  action();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

describe('the contracts', () => {
  it.each(['params', 'query', 'body'] as const)('read a long text in any field of their %s at once', (part) => {
    const slow: string[] = [];
    for (const [call, endpoint] of Object.entries(endpoints)) {
      const schema = endpoint[part];
      if (!schema) continue;
      const form = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
      for (const text of hostileTexts) {
        for (const value of placesOf(form, text)) {
          const ms = workOf(() => schema.safeParse(value));
          if (ms > 200) slow.push(`${call} ${JSON.stringify(value).slice(0, 80)} ${ms} ms`);
        }
      }
    }
    expect(slow).toEqual([]);
  });
});

describe('an address', () => {
  it.each(['a@b.c', ' a@b.c ', 'a@b..c', 'a@..c', 'a.b@c.d.e.'])('may be %j', (address) => {
    expect(emailAddress.parse(address)).toBe(address.trim());
  });

  it.each(['', 'a', 'a@', '@b.c', 'a@b', 'a@.b', 'a@b.', 'a@.', 'a@b@c.d', 'a b@c.d', 'a@b .c'])(
    'is not %j',
    (text) => {
      expect(emailAddress.safeParse(text).success).toBe(false);
    },
  );

  it('has at most 254 characters', () => {
    const longest = `a@${'b'.repeat(250)}.c`;
    expect(emailAddress.safeParse(longest).success).toBe(true);
    expect(emailAddress.safeParse(`a${longest}`).error?.issues).toMatchObject([{ message: 'Invalid email format' }]);
  });
});
