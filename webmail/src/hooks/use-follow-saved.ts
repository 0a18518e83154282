import { useState } from 'react';
import type { Form } from './use-form.ts';

/**
 * Shows in a form what was saved on another device or in another window, unless something is typed
 * here.
 * @param saved what the server has; another value of it means that it was changed
 */
export function useFollowSaved<S>({ isDirty }: Pick<Form, 'isDirty'>, saved: S, show: (saved: S) => void): void {
  const [shown, setShown] = useState(saved);
  if (shown === saved) return;
  setShown(saved);
  if (!isDirty) show(saved);
}
