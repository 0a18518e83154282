import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../test/render.tsx';
import { notify } from './notify.ts';
import { undoLatest } from './undo-latest.ts';

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
