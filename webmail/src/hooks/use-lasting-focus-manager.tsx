import { useFocusFinders } from '@fluentui/react-components';
import { useEffect } from 'react';
import { createRoot, type Root } from 'react-dom/client';

/**
 * Keeps Fluent's focus manager from the first call on, for as long as the page lives. While a
 * dialog is open, the focus manager hides the rest of the page from screen readers, and it shows
 * the rest again a moment after the dialog has gone. But it ends with the last component that uses
 * it. A dialog can be that component: it may be closed before the toasts are loaded, and the rest
 * of the page would stay hidden.
 */
export function useLastingFocusManager(): void {
  useEffect(keep, []);
}

let root: Root | null = null;

function keep(): void {
  if (root) return;
  root = createRoot(document.createElement('div'));
  root.render(<FocusManagerUser />);
}

/** For tests, whose page ends before its timers do. */
export function endFocusManager(): void {
  root?.unmount();
  root = null;
}

function FocusManagerUser(): null {
  useFocusFinders();
  return null;
}
