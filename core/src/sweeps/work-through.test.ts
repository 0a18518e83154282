import { afterEach, expect, it, vi } from 'vitest';
import { log } from '../log.ts';
import { workThrough } from './work-through.ts';

afterEach(() => vi.restoreAllMocks());

/** Works on two items, of which the first fails with an error of the database. */
function workAfter(errno: number): { work: () => Promise<number>; begun: string[] } {
  const begun: string[] = [];
  const one = async (name: string): Promise<boolean> => {
    begun.push(name);
    if (name === 'first') throw Object.assign(new Error('no'), { errno, sqlState: '70100' });
    return true;
  };
  const work = () => workThrough(['first', 'second'], one, { failure: 'not done', signal: undefined });
  return { work, begun };
}

it.each([1969, 3024, 1205, 1213, 1020])(
  'an item whose statement fails with %i has its turn, and so has the next',
  async (errno) => {
    const error = vi.spyOn(log, 'error').mockReturnValue(undefined);
    const { work, begun } = workAfter(errno);
    expect(await work()).toBe(1);
    expect(begun).toEqual(['first', 'second']);
    expect(error).toHaveBeenCalledOnce();
  },
);

it('ends when the database is away', async () => {
  const { work, begun } = workAfter(2013);
  await expect(work()).rejects.toMatchObject({ errno: 2013 });
  expect(begun).toEqual(['first']);
});
