import { renderHook } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { useFollowSaved } from './use-follow-saved.ts';

const follow = (isDirty: boolean) => {
  const reset = vi.fn();
  const hook = renderHook(({ saved }) => useFollowSaved({ isDirty, reset }, saved, (text) => ({ text })), {
    initialProps: { saved: 'old' },
  });
  return { reset, change: (saved: string) => hook.rerender({ saved }) };
};

it('shows what was saved elsewhere, once', () => {
  const { reset, change } = follow(false);
  expect(reset).not.toHaveBeenCalled();
  for (const saved of ['old', 'new', 'new']) change(saved);
  expect(reset.mock.calls).toEqual([[{ text: 'new' }]]);
});

it('leaves what is typed here', () => {
  const { reset, change } = follow(true);
  change('new');
  expect(reset).not.toHaveBeenCalled();
});
