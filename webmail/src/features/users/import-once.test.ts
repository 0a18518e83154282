import type { ImportDto } from '@selvage/core/contracts/many-users';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { importOnce } from './import-once.ts';

const answer: ImportDto = {
  people: 1,
  problemCount: 0,
  problems: [],
  guessed: [],
  suspended: 0,
  left_out: [],
  added: [{ name: 'Ana', email: 'ana@mill.test', active_status: true, password: 'p' }],
};
const lost = new ApiError('No answer', { status: 0, code: 'timeout' });
const ofProxy = new ApiError('Bad gateway', { status: 502 });
const tooLate = new ApiError('Too late', { status: 503, code: 'timeout' });
const running = new ApiError('Still running', { status: 409, code: 'import_running' });
const refused = new ApiError('Problems', { status: 422, code: 'invalid' });
const tooLong = new ApiError('Too long', { status: 503, code: 'import_too_long' });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** What comes of an import whose calls end like this, one after another, and how many are made. */
async function outcomeOf(...ends: (ImportDto | ApiError)[]) {
  const send = vi.fn(async () => {
    const end = ends.shift();
    if (end === undefined || end instanceof ApiError) throw end ?? new Error('one call too many');
    return end;
  });
  const outcome = importOnce(send).catch((error: unknown) => error);
  await vi.runAllTimersAsync();
  return [await outcome, send.mock.calls.length];
}

it.each([
  ['no answer came', lost],
  ['a proxy answered', ofProxy],
  ['the call took too long', tooLate],
])('asks again once when %s', async (_when, error) => {
  expect(await outcomeOf(error, answer)).toEqual([answer, 2]);
  expect(await outcomeOf(error, lost)).toEqual([lost, 2]);
});

it('waits for an import that goes on after its answer was lost', async () => {
  expect(await outcomeOf(lost, running, running, running, answer)).toEqual([answer, 5]);
});

it.each([refused, tooLong])('takes a refusal for what it is: %s', async (error) => {
  expect(await outcomeOf(error)).toEqual([error, 1]);
});
