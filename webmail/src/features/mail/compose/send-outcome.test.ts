import { describe, expect, it } from 'vitest';
import { ApiError } from '../../../lib/api-error.ts';
import { askUntilKnown, type Outcome, outcomeOfSending } from './send-outcome.ts';

const failure = (status: number, code?: string): ApiError =>
  new ApiError('words', { status, ...(code ? { code } : {}) });

describe('outcomeOfSending', () => {
  it.each([
    [failure(422, 'invalid'), 'refused'],
    [failure(413, 'attachment_too_large'), 'refused'],
    [failure(401, 'session_expired'), 'refused'],
    [failure(404, 'draft_not_found'), 'refused'],
    [failure(429, 'too_many_requests'), 'refused'],
    // Of a proxy, which may have passed the message on
    [failure(413), 'unknown'],
    [failure(408), 'unknown'],
    [failure(502), 'unknown'],
    [failure(503, 'unavailable'), 'unknown'],
    [failure(500, 'internal'), 'unknown'],
    [failure(0, 'timeout'), 'unknown'],
    [failure(0, 'unreachable'), 'unknown'],
    [new TypeError('odd'), 'unknown'],
    [failure(409, 'still_sending'), 'unknown'],
    [failure(409, 'send_undone'), 'used'],
    [failure(409, 'idempotency_key_reused'), 'used'],
  ])('says "not sent" only for what the server refused: %o is %s', (error, kind) => {
    expect(outcomeOfSending(error).kind).toBe(kind);
  });
});

it('names the problems of a refusal', () => {
  const fields = { recipient_emails_to: 'At most 100 recipients', subject: 'Too long.' };
  const error = new ApiError('Please check the marked fields.', { status: 422, code: 'invalid', fields });
  expect(outcomeOfSending(error)).toEqual({ kind: 'refused', text: 'At most 100 recipients. Too long.' });
});

describe('askUntilKnown', () => {
  const unknown: Outcome = { kind: 'unknown', text: '' };
  const sent: Outcome = { kind: 'sent', sent: { _id: '1', undo_until: '', undo_ms: 0, scheduled_for: null } };

  it('asks again, after longer and longer waits, until the server knows', async () => {
    const answers = [...Array.from({ length: 7 }, () => unknown), sent];
    const waits: number[] = [];
    const wait = (seconds: number): Promise<void> => Promise.resolve(void waits.push(seconds));
    const ask = (): Promise<Outcome> => Promise.resolve(answers.shift() ?? unknown);
    expect(await askUntilKnown({ ask, wait, isOver: () => false })).toBe(sent);
    expect(waits).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });

  it('gives up when no answer is of use any more', async () => {
    let asked = 0;
    const ask = (): Promise<Outcome> => Promise.resolve(((asked += 1), unknown));
    const wait = (): Promise<void> => Promise.resolve();
    expect(await askUntilKnown({ ask, wait, isOver: () => asked === 3 })).toBeNull();
  });
});
