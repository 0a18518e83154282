import { useState } from 'react';
import type { Form, FormValues } from './use-form.ts';

/**
 * Shows in a form what was saved on another device or in another window, unless something is typed
 * here.
 * @param saved what the server has; another value of it means that it was changed
 */
export function useFollowSaved<S, V extends FormValues>(
  form: Pick<Form<V>, 'isDirty' | 'reset'>,
  saved: S,
  valuesOf: (saved: S) => V,
): void {
  const [shown, setShown] = useState(saved);
  if (shown === saved) return;
  setShown(saved);
  if (!form.isDirty) form.reset(valuesOf(saved));
}
