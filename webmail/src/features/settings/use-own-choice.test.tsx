import { fireEvent, screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { storeTokens } from '../../lib/session.ts';
import { pending, show } from '../../test/render.tsx';
import { UndoSection } from './sending/UndoSection.tsx';

/** What the server has. */
let undoMs = 5_000;
/** The choices that it was told, in their order; the test answers them. */
let told: { undo_ms: number; answer: PromiseWithResolvers<boolean> }[] = [];

beforeEach(() => {
  [undoMs, told] = [5_000, []];
  storeTokens({ token: `x.${btoa(JSON.stringify({ sub: '7' }))}.x`, refreshToken: 'x', expires_in: 900 });
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit = {}) => {
    if (url.endsWith('/user/info')) {
      return Response.json({ success: true, message: '', data: { _id: '7', undo_ms: undoMs, permissions: [] } });
    }
    const answer = pending<boolean>();
    const { undo_ms } = JSON.parse(String(body)) as { undo_ms: number };
    told.push({ undo_ms, answer });
    const isKept = await answer.promise;
    if (isKept) undoMs = undo_ms;
    return Response.json({ success: isKept, message: 'Not now' }, { status: isKept ? 200 : 409 });
  });
});

async function chooseTwo(): Promise<HTMLSelectElement> {
  show(<UndoSection />);
  const select = await screen.findByRole<HTMLSelectElement>('combobox');
  await waitFor(() => expect(select.value).toBe('5000'));
  fireEvent.change(select, { target: { value: '10000' } });
  fireEvent.change(select, { target: { value: '20000' } });
  await waitFor(() => expect(select.value).toBe('20000'));
  await waitFor(() => expect(told).toHaveLength(1));
  return select;
}

it('tells the server one choice after the other, so that the last one stays', async () => {
  const select = await chooseTwo();
  told[0]?.answer.resolve(true);
  await waitFor(() => expect(told.map(({ undo_ms }) => undo_ms)).toEqual([10_000, 20_000]));
  expect(select.value).toBe('20000');
  told[1]?.answer.resolve(true);
  await waitFor(() => expect(screen.getAllByText(/saved/i).length).toBeGreaterThan(1));
  expect([select.value, undoMs]).toEqual(['20000', 20_000]);
});

it('takes back a choice that failed, and not what was chosen since', async () => {
  const select = await chooseTwo();
  told[0]?.answer.resolve(false);
  await screen.findAllByText('Not now');
  await waitFor(() => expect(told).toHaveLength(2));
  expect(select.value).toBe('20000');
  told[1]?.answer.resolve(false);
  await waitFor(() => expect(select.value).toBe('5000'));
});
