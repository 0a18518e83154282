import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configureLog, log, withLogContext } from './log.ts';

let written: string[] = [];

beforeAll(() => configureLog({ level: 'info', process: 'test', write: (line) => written.push(line) }));
afterAll(() => configureLog({ level: 'error', process: 'test' }));

/** What is written by `work`, as it stands in the file. */
function linesOf(work: () => void): string {
  written = [];
  work();
  return written.join('');
}

const forged = '{"level":"error","msg":"forged"}';
/** Every letter of the first plane that is not half of another one. */
const allLetters = String.fromCharCode(...Array.from({ length: 0xd800 }, (_, code) => code));
const hostile = [`550 no\n${forged}\n`, `\r\n${forged}`, `","msg":"forged","x":"`, '\u001b[2J\u009b2J', allLetters];

describe('a line of the log', () => {
  it.each(hostile)('is one line with the words of a stranger in it, of which none is lost (%#)', (words) => {
    const text = linesOf(() => {
      withLogContext({ sessionId: words }, () =>
        log.info('delivery attempted', {
          reply: words,
          [words]: 1,
          error: new Error(words),
          list: [{ subject: words }],
        }),
      );
    });
    expect(text.match(/\n/g)).toHaveLength(1);
    // Nothing that a terminal acts on or that turns letters around
    expect(text.trimEnd()).not.toMatch(/[\p{Cc}\u2028-\u202e\u2066-\u2069\u200e\u200f\u061c]/u);
    const line = JSON.parse(text) as Record<string, unknown>;
    expect(line).toMatchObject({
      level: 'info',
      msg: 'delivery attempted',
      sessionId: words,
      reply: words,
      [words]: 1,
    });
    expect(line).toMatchObject({ error: { message: words }, list: [{ subject: words }] });
  });
});

describe('a secret in the fields of a line', () => {
  const cause = { authorization: 'Basic eA==' };
  const fields = {
    password: 'a',
    session: { id: 7, cookie: 'b', user: { otp: 'c', email: 'ada@example.test' } },
    list: [{ token: 'd', at: new Date(0) }],
    error: Object.assign(new Error('broken', { cause }), { sql: 'INSERT', code: 'E1' }),
  };

  it('is hidden on three levels, and all else stands there', () => {
    const before = structuredClone({ ...fields, error: null });
    const line: unknown = JSON.parse(linesOf(() => withLogContext({ secret: 'e' }, () => log.info('seen', fields))));
    expect(line).toMatchObject({
      secret: '[redacted]',
      password: '[redacted]',
      session: { id: 7, cookie: '[redacted]', user: { otp: '[redacted]', email: 'ada@example.test' } },
      list: [{ token: '[redacted]', at: '1970-01-01T00:00:00.000Z' }],
      error: { type: 'Error', message: 'broken', code: 'E1', cause: { authorization: '[redacted]' } },
    });
    expect(line).not.toHaveProperty('error.sql');
    expect({ ...fields, error: null }).toEqual(before);
    expect(fields.error).toBeInstanceOf(Error);
  });

  it('is not looked for in a line that is not written', () => {
    const never = {
      get password(): string {
        throw new Error('read');
      },
    };
    expect(linesOf(() => log.debug('unseen', { never }))).toBe('');
  });
});
