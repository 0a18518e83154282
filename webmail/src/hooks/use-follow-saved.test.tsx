import { renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useFollowSaved } from './use-follow-saved.ts';

const follow = (isDirty: boolean) => {
  const show = vi.fn();
  const hook = renderHook(({ saved }) => useFollowSaved({ isDirty }, saved, show), { initialProps: { saved: 'old' } });
  return { show, change: (saved: string) => hook.rerender({ saved }) };
};

it('shows what was saved elsewhere, once', () => {
  const { show, change } = follow(false);
  expect(show).not.toHaveBeenCalled();
  for (const saved of ['old', 'new', 'new']) change(saved);
  expect(show.mock.calls).toEqual([['new']]);
});

it('leaves what is typed here', () => {
  const { show, change } = follow(true);
  change('new');
  expect(show).not.toHaveBeenCalled();
});
