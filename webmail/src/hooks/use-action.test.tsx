import { useQuery } from '@tanstack/react-query';
import { act, screen, waitFor } from '@testing-library/react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createPendingChanges, useWithPending } from '../lib/pending-changes.ts';
import { endSession, storeTokens } from '../lib/session.ts';
import { unsavedWork } from '../lib/unsaved-work.ts';
import { pending, show } from '../test/render.tsx';
import { type ActionOptions, changesMade, useAction } from './use-action.ts';

type Flags = { isRunning?: boolean; isSold?: boolean };
interface Mill extends Required<Flags> {
  _id: string;
}
type Kind = 'mills' | 'looms';

const mill = (_id: string, isRunning: boolean): Mill => ({ _id, isRunning, isSold: false });

/** The calls that the server got, in their order; the test answers them. */
let calls: { name: string; answer: ReturnType<typeof pending<unknown>> }[] = [];
/** What the server has, by kind. */
let stored: Record<Kind, Mill[]>;

beforeEach(() => {
  calls = [];
  stored = { mills: [mill('1', true), mill('2', false), mill('3', true)], looms: [mill('9', false)] };
});

function called(name: string): Promise<unknown> {
  const answer = pending<unknown>();
  calls.push({ name, answer });
  return answer.promise;
}

const nameOf = (ids: string[], patch: object): string => `${ids.join(',')} ${JSON.stringify(patch)}`;

/** A kind of change about records of one kind, which the server has to confirm. */
function kindOf(kind: Kind, more: Partial<ActionOptions<Flags>> = {}): ActionOptions<Flags> {
  return {
    changes: createPendingChanges<Flags>(),
    call: (ids, patch) => called(nameOf(ids, patch)),
    commit: (client, ids, patch) =>
      client.setQueryData<Mill[]>([kind], (rows) =>
        rows?.map((row) => (ids.has(row._id) ? { ...row, ...patch } : row)),
      ),
    stale: [[kind]],
    ...more,
  };
}

/** Rows of one kind as words, with a button for each of some changes. */
function Rows({
  kind,
  options,
  ids,
  patch,
}: {
  kind: Kind;
  options: ActionOptions<Flags>;
  ids: string[];
  patch: Flags;
}) {
  const { data = [] } = useQuery({ queryKey: [kind], queryFn: () => read(kind), staleTime: Infinity });
  const rows = useWithPending(options.changes, data);
  const change = useAction(options);
  return (
    <>
      <output aria-label={kind}>
        {rows.map((row) => `${row._id}:${row.isRunning ? 'runs' : 'stands'}`).join(' ')}
      </output>
      <button
        onClick={() => void change({ records: rows.filter(({ _id }) => ids.includes(_id)), patch, said: 'Changed' })}
      >
        change {kind}
      </button>
    </>
  );
}

const read = vi.fn(async (kind: Kind): Promise<Mill[]> => stored[kind]);
const readsOf = (kind: Kind): number => read.mock.calls.filter(([asked]) => asked === kind).length;
const shown = (kind: Kind): string => screen.getByRole('status', { name: kind }).textContent ?? '';
const press = (name: string) => screen.getByRole('button', { name });

/** Shows a list, and waits for its rows. */
async function showRows(...parts: Parameters<typeof Rows>[0][]) {
  read.mockClear();
  const { person } = show(parts.map((part) => <Rows key={part.kind} {...part} />));
  await waitFor(() => parts.forEach(({ kind }) => expect(shown(kind)).not.toBe('')));
  return person;
}

async function answer(index: number, value: unknown = null): Promise<void> {
  await waitFor(() => expect(calls.length).toBeGreaterThan(index));
  await act(async () => calls[index]?.answer.resolve(value));
}

async function refuse(index: number, why: string): Promise<void> {
  await waitFor(() => expect(calls.length).toBeGreaterThan(index));
  await act(async () => calls[index]?.answer.reject(new Error(why)));
}

const all = ['1', '2', '3'];
const stop: Flags = { isRunning: false };

describe('a change', () => {
  it('shows at once, is made once, and is followed by a look at what the server has', async () => {
    const person = await showRows({ kind: 'mills', options: kindOf('mills'), ids: all, patch: stop });
    await person.click(press('change mills'));
    expect(shown('mills')).toBe('1:stands 2:stands 3:stands');
    expect(readsOf('mills')).toBe(1);
    stored.mills = all.map((id) => mill(id, false));
    await answer(0);
    await waitFor(() => expect(readsOf('mills')).toBe(2));
    expect(calls.map(({ name }) => name)).toEqual(['1,2,3 {"isRunning":false}']);
    expect(shown('mills')).toBe('1:stands 2:stands 3:stands');
  });

  it('that fails is taken back, with a toast that says so', async () => {
    const person = await showRows({ kind: 'mills', options: kindOf('mills'), ids: all, patch: stop });
    await person.click(press('change mills'));
    await refuse(0, 'The mill is closed.');
    await screen.findByText('The mill is closed.');
    expect(shown('mills')).toBe('1:runs 2:stands 3:runs');
    await waitFor(() => expect(readsOf('mills')).toBe(2));
  });
});

describe('several changes under way', () => {
  const two = () =>
    showRows(
      { kind: 'mills', options: kindOf('mills'), ids: ['1'], patch: stop },
      { kind: 'looms', options: kindOf('looms'), ids: ['9'], patch: { isRunning: true } },
    );

  it('reach the server one by one, and show together', async () => {
    const person = await two();
    await person.click(press('change mills'));
    await person.click(press('change looms'));
    expect(calls).toHaveLength(1);
    expect([shown('mills'), shown('looms')]).toEqual(['1:stands 2:stands 3:runs', '9:runs']);
    await answer(0);
    await answer(1);
  });

  it('hold the page while one waits for another: what was sent is finished without it, and no more', async () => {
    const person = await two();
    await person.click(press('change mills'));
    expect(unsavedWork()).toEqual([]);
    await person.click(press('change looms'));
    expect(unsavedWork()).toEqual([{ name: 'the list', survivesNavigation: true }]);
    await refuse(0, 'The mill is closed.');
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(unsavedWork()).toEqual([]);
    await answer(1);
  });

  it('are dropped without a word where another person has logged in before their turn', async () => {
    const person = await two();
    await person.click(press('change mills'));
    await person.click(press('change looms'));
    storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '8' }))}.x`, refreshToken: 'x' });
    await answer(0);
    await waitFor(() => expect(shown('looms')).toBe('9:stands'));
    expect(calls).toHaveLength(1);
    expect(screen.queryByText(/left/)).toBeNull();
    endSession();
  });

  it('of several kinds: what each of them has made stale is fetched once the last has ended', async () => {
    const person = await two();
    await person.click(press('change mills'));
    await person.click(press('change looms'));
    await answer(0);
    await waitFor(() => expect(calls).toHaveLength(2));
    expect([readsOf('mills'), readsOf('looms')]).toEqual([1, 1]);
    await answer(1);
    await waitFor(() => expect([readsOf('mills'), readsOf('looms')]).toEqual([2, 2]));
  });

  it('of which one fails: the other one stays, and what both have made stale is fetched', async () => {
    const person = await two();
    await person.click(press('change mills'));
    await person.click(press('change looms'));
    await refuse(0, 'The mill is closed.');
    stored.looms = [mill('9', true)];
    await answer(1);
    await waitFor(() => expect([readsOf('mills'), readsOf('looms')]).toEqual([2, 2]));
    expect([shown('mills'), shown('looms')]).toEqual(['1:runs 2:stands 3:runs', '9:runs']);
  });
});

describe('Undo', () => {
  it('of a mixed selection gives each record the value that it had', async () => {
    const person = await showRows({ kind: 'mills', options: kindOf('mills'), ids: all, patch: stop });
    await person.click(press('change mills'));
    await answer(0);
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(shown('mills')).toBe('1:runs 2:stands 3:runs');
    await answer(1);
    await answer(2);
    expect(calls.slice(1).map(({ name }) => name)).toEqual(['1,3 {"isRunning":true}', '2 {"isRunning":false}']);
  });

  it('that fails for some of them leaves the others restored', async () => {
    const person = await showRows({ kind: 'mills', options: kindOf('mills'), ids: all, patch: stop });
    await person.click(press('change mills'));
    stored.mills = all.map((id) => mill(id, false));
    await answer(0);
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    await refuse(1, 'The mill is closed.');
    await answer(2);
    await waitFor(() => expect(shown('mills')).toBe('1:stands 2:stands 3:stands'));
  });

  it('that fails is offered again, for the records that are not restored', async () => {
    const person = await showRows({ kind: 'mills', options: kindOf('mills'), ids: ['1'], patch: stop });
    await person.click(press('change mills'));
    stored.mills = [mill('1', false), mill('2', false), mill('3', true)];
    await answer(0);
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    await refuse(1, 'The server could not be reached.');
    await screen.findByText('The server could not be reached.');
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(shown('mills')).toBe('1:runs 2:stands 3:runs');
    await answer(2);
    expect(calls.slice(1).map(({ name }) => name)).toEqual(['1 {"isRunning":true}', '1 {"isRunning":true}']);
  });
});

describe('Undo by the answer of the call', () => {
  const takeBack = (answerOfCall: unknown, patch: Flags) => called(nameOf(['back', String(answerOfCall)], patch));
  /** As a list of conversations: what is read again does not come before the test has looked. */
  const options = () => kindOf('mills', { takeBack, stale: [] });

  it('is one call for all records, whatever each of them had', async () => {
    const person = await showRows({ kind: 'mills', options: options(), ids: all, patch: stop });
    await person.click(press('change mills'));
    await answer(0, 'receipt');
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(shown('mills')).toBe('1:runs 2:stands 3:runs'));
    await answer(1);
    expect(calls.map(({ name }) => name)).toEqual(['1,2,3 {"isRunning":false}', 'back,receipt {"isRunning":false}']);
    expect(shown('mills')).toBe('1:runs 2:stands 3:runs');
  });

  it('that fails restores none of them, and says so once', async () => {
    const person = await showRows({
      kind: 'mills',
      options: options(),
      ids: ['2', '1', '3'],
      patch: { isRunning: true },
    });
    await person.click(press('change mills'));
    await answer(0, 'receipt');
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    await waitFor(() => expect(shown('mills')).toBe('1:runs 2:stands 3:runs'));
    await refuse(1, 'The mill is closed.');
    await waitFor(() => expect(shown('mills')).toBe('1:runs 2:runs 3:runs'));
    expect(await screen.findAllByText('The mill is closed.')).toHaveLength(1);
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    await answer(2);
    expect(shown('mills')).toBe('1:runs 2:stands 3:runs');
  });

  it('holds the page until all of it is taken back: it may take several calls', async () => {
    const inTwo = async () => [await called('back 1'), await called('back 2')];
    const person = await showRows({
      kind: 'mills',
      options: kindOf('mills', { takeBack: inTwo }),
      ids: all,
      patch: stop,
    });
    await person.click(press('change mills'));
    await answer(0, 'receipt');
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    await answer(1);
    await waitFor(() => expect(calls).toHaveLength(3));
    expect(unsavedWork()).toHaveLength(1);
    await answer(2);
    await waitFor(() => expect(unsavedWork()).toEqual([]));
  });

  it('asks for nothing where the change itself had failed, and holds the page until that is known', async () => {
    const person = await showRows({ kind: 'mills', options: options(), ids: all, patch: stop });
    await person.click(press('change mills'));
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    expect(unsavedWork()).toHaveLength(1);
    await refuse(0, 'The mill is closed.');
    await waitFor(() => expect(unsavedWork()).toEqual([]));
    await waitFor(() => expect(shown('mills')).toBe('1:runs 2:stands 3:runs'));
    expect(calls).toHaveLength(1);
  });
});

describe('waiting for all changes', () => {
  it('ends with the answer to the last of them, whether it was made or not', async () => {
    const person = await showRows({ kind: 'mills', options: kindOf('mills'), ids: all, patch: stop });
    await person.click(press('change mills'));
    await person.click(press('change mills'));
    const ended = vi.fn();
    const waiting = changesMade().then(ended);
    await answer(0);
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(ended).not.toHaveBeenCalled();
    await refuse(1, 'The mill is closed.');
    await waiting;
  });

  it('waits for what an Undo takes back, also where the Undo came before the change was made', async () => {
    const takeBack = () => called('back');
    const person = await showRows({ kind: 'mills', options: kindOf('mills', { takeBack }), ids: all, patch: stop });
    await person.click(press('change mills'));
    await person.click(await screen.findByRole('button', { name: 'Undo' }));
    const ended = vi.fn();
    const waiting = changesMade().then(ended);
    await answer(0, 'receipt');
    await waitFor(() => expect(calls).toHaveLength(2));
    expect(ended).not.toHaveBeenCalled();
    await answer(1);
    await waiting;
  });
});
