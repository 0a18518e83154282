import { endpoint } from '@selvage/core/contracts/endpoint';
import { asList } from '@selvage/core/contracts/list';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { pending, show } from '../../test/render.tsx';
import { type Records, RecordPicker } from './RecordPicker.tsx';

const mill = z.object({ _id: z.string(), name: z.string() });
type Mill = z.infer<typeof mill>;

const records: Records<Mill> = {
  list: endpoint({
    method: 'GET',
    path: '/mill/get/all',
    summary: 'The mills',
    needs: 'public',
    ...asList({ sort: ['name'], defaultSort: 'name', filters: { town: z.string().optional() } }),
    answer: z.array(mill),
  }),
  get: endpoint({
    method: 'GET',
    path: '/mill/get/:id',
    summary: 'A mill',
    needs: 'public',
    params: z.object({ id: z.string() }),
    answer: mill,
  }),
  queryKey: ['mills'],
  query: { town: 'Erode' },
  keyOf: ({ _id }) => _id,
  nameOf: ({ name }) => name,
};

const mills: Mill[] = Array.from({ length: 45 }, (_mill, index) => ({
  _id: String(index + 1),
  name: `Mill ${String(index + 1).padStart(2, '0')}`,
}));
const onPick = vi.fn<(id: string, row: Mill | undefined) => void>();

/** The calls that the server was asked for. */
let asked: URL[] = [];
/** What the answers to a search wait for. */
let late: Promise<void> = Promise.resolve();

beforeEach(() => {
  asked = [];
  late = Promise.resolve();
  onPick.mockReset();
  vi.stubGlobal('fetch', async (url: string) => {
    const call = new URL(url, window.location.href);
    asked.push(call);
    if (call.searchParams.has('search')) await late;
    return Response.json({ success: true, message: '', ...answerTo(call) });
  });
});

afterEach(() => vi.unstubAllGlobals());

function answerTo({ pathname, searchParams }: URL) {
  const id = /get\/(\d+)$/.exec(pathname)?.[1];
  if (id !== undefined) return { data: mills.find(({ _id }) => _id === id) };
  const found = mills.filter(({ name }) => name.includes(searchParams.get('search') ?? ''));
  const pageSize = Number(searchParams.get('limit'));
  const pagination = { totalData: found.length, totalPages: 1, pageNumber: 1, pageSize };
  return { data: found.slice(0, pageSize), pagination };
}

function Picker({ start = '' }: { start?: string }) {
  const [value, setValue] = useState(start);
  const pick = (id: string, row: Mill | undefined): void => {
    onPick(id, row);
    setValue(id);
  };
  return <RecordPicker records={records} value={value} onPick={pick} label="Mill" />;
}

const box = () => screen.getByRole<HTMLInputElement>('combobox', { name: 'Mill' });
const options = (): string[] => screen.queryAllByRole('option').map(({ textContent }) => textContent);
const searches = () => asked.filter(({ pathname }) => pathname.endsWith('/all')).map((url) => url.searchParams);

describe('RecordPicker', () => {
  it('asks for nothing before it is opened, then for the first of many, and says how many more there are', async () => {
    const { person } = show(<Picker />);
    expect(asked).toEqual([]);
    await person.click(box());
    await screen.findByRole('option', { name: 'Mill 01' });
    expect(Object.fromEntries(searches()[0] ?? [])).toMatchObject({ town: 'Erode', page: '1', limit: '20' });
    expect(options()).toHaveLength(21);
    expect(options().at(-1)).toContain('25');
  });

  it('searches on the server for what is typed, and tells which record is chosen', async () => {
    const { person } = show(<Picker />);
    await person.click(box());
    // At one moment: a slow machine would make a pause of each digit that is pressed
    for (const value of ['4', '44']) fireEvent.change(box(), { target: { value } });
    await waitFor(() => expect(options()).toEqual(['Mill 44']));
    await person.click(screen.getByRole('option', { name: 'Mill 44' }));
    expect(onPick).toHaveBeenCalledExactlyOnceWith('44', mills[43]);
    await waitFor(() => expect(box().value).toBe('Mill 44'));
    expect(searches().map((query) => query.get('search'))).not.toContain('4');
  });

  it('says why nothing is found when the server refuses, and asks again when it is opened again', async () => {
    const answer = globalThis.fetch;
    vi.stubGlobal('fetch', async () => Response.json({ success: false, message: 'No mills today' }, { status: 403 }));
    const { person } = show(<Picker />);
    await person.click(box());
    await screen.findByRole('option', { name: 'No mills today' });
    await person.keyboard('{Escape}');
    vi.stubGlobal('fetch', answer);
    await person.click(box());
    await screen.findByRole('option', { name: 'Mill 01' });
    expect(screen.queryByRole('option', { name: 'No mills today' })).toBeNull();
  });

  it.each(['{Enter}', '{Tab}'])('takes nothing else by %s before the search has its answer', async (key) => {
    const { person } = show(<Picker />);
    await person.click(box());
    await screen.findByRole('option', { name: 'Mill 01' });
    const gate = pending<void>();
    late = gate.promise;
    await person.type(box(), `44${key}`);
    expect(onPick).not.toHaveBeenCalled();
    gate.resolve();
    if (key === '{Tab}') {
      await waitFor(() => expect(box().value).toBe(''));
      return;
    }
    await waitFor(() => expect(options()).toEqual(['Mill 44']));
    await person.keyboard(key);
    expect(onPick).toHaveBeenCalledExactlyOnceWith('44', mills[43]);
  });

  it('says when nothing is found, which cannot be chosen', async () => {
    const { person } = show(<Picker />);
    await person.type(box(), 'sheep');
    await waitFor(() => expect(options()).toHaveLength(1));
    await waitFor(() => expect(screen.getByRole('option').getAttribute('aria-disabled')).toBe('true'));
    await person.click(screen.getByRole('option'));
    expect(onPick).not.toHaveBeenCalled();
  });

  it('shows the name of its record, also after a search that chose nothing', async () => {
    const { person } = show(<Picker start="7" />);
    await waitFor(() => expect(box().value).toBe('Mill 07'));
    await person.type(box(), 'sheep');
    await waitFor(() => expect(screen.getByRole('option').getAttribute('aria-disabled')).toBe('true'));
    expect(box().value).toBe('Mill 07sheep');
    await person.keyboard('{Escape}');
    await waitFor(() => expect(box().value).toBe('Mill 07'));
    expect(onPick).not.toHaveBeenCalled();
  });

  it('takes its record out when its text is emptied', async () => {
    const { person } = show(<Picker start="7" />);
    await waitFor(() => expect(box().value).toBe('Mill 07'));
    await person.clear(box());
    expect(onPick).toHaveBeenCalledExactlyOnceWith('', undefined);
    await person.keyboard('{Escape}');
    expect(box().value).toBe('');
  });
});
