import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../test/render.tsx';
import { notify } from './notify.ts';
import { undoLatest } from './undo-latest.ts';

it('takes back what was done before the toaster has come, once', async () => {
  const [first, second] = [vi.fn(), vi.fn()];
  notify.success('Archived', { label: 'Undo', run: first, isUndo: true });
  notify.success('Deleted', { label: 'Undo', run: second, isUndo: true });
  undoLatest();
  expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([0, 1]);
  show(null);
  await screen.findByText('Archived');
  expect(screen.queryByText('Deleted')).toBeNull();
  act(undoLatest);
  act(undoLatest);
  expect([first, second].map(({ mock }) => mock.calls.length)).toEqual([1, 1]);
});

it('takes back what the latest shown toast offers, each once', async () => {
  const [first, second, other] = [vi.fn(), vi.fn(), vi.fn()];
  show(null);
  undoLatest();
  act(() => notify.success('Archived', { label: 'Undo', run: first, isUndo: true }));
  act(() => notify.success('Deleted', { label: 'Undo', run: second, isUndo: true }));
  act(() => notify.info('Saved', { label: 'Open', run: other }));
  await screen.findByText('Saved');
  act(undoLatest);
  expect([first, second, other].map(({ mock }) => mock.calls.length)).toEqual([0, 1, 0]);
  act(undoLatest);
  act(undoLatest);
  expect([first, second, other].map(({ mock }) => mock.calls.length)).toEqual([1, 1, 0]);
});

it('takes back the last of many at once, which are shown in the place of the first ones', async () => {
  const runs = Array.from({ length: 5 }, () => vi.fn());
  show(null);
  act(() => {
    for (const [index, run] of runs.entries())
      notify.success(`Archived ${index + 1}`, { label: 'Undo', run, isUndo: true });
  });
  act(undoLatest);
  act(undoLatest);
  expect(runs.map(({ mock }) => mock.calls.length)).toEqual([0, 0, 0, 1, 1]);
});

it('shows the last of many notices at once, and lets the first ones go', async () => {
  show(null);
  act(() => {
    for (const said of ['One', 'Two', 'Three', 'Four', 'Five']) notify.success(said);
  });
  await screen.findByText('Five');
  for (const said of ['Three', 'Four']) screen.getByText(said);
  await waitFor(() => expect(['One', 'Two'].filter((said) => screen.queryByText(said))).toEqual([]));
});

it('leaves a failure where it is while successes come', async () => {
  show(null);
  act(() => notify.failure('Not sent'));
  for (const said of ['One', 'Two', 'Three']) act(() => notify.success(said));
  await screen.findByText('Three');
  await waitFor(() => expect(screen.queryByText('One')).toBeNull());
  for (const said of ['Not sent', 'Two']) screen.getByText(said);
});
