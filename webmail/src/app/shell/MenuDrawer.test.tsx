import { expect, it, vi } from 'vitest';
import { topCloser } from '../../lib/back-closes.ts';
import { show } from '../../test/render.tsx';
import MenuDrawer from './MenuDrawer.tsx';

it('is closed by the Back button, as everything that covers the screen', () => {
  const onClose = vi.fn();
  const { unmount } = show(<MenuDrawer onClose={onClose}>Inbox</MenuDrawer>);
  topCloser()?.();
  expect(onClose).toHaveBeenCalledOnce();
  unmount();
  expect(topCloser()).toBeUndefined();
});
