import { useState } from 'react';
import type { FieldForm } from '../hooks/use-form.ts';
import type { Problems } from '../lib/problems.ts';

/** A form that is never sent. It shows its fields in the given state. */
export function useSampleForm<V extends Record<string, unknown>>(
  start: V,
  { problems = {}, isPending = false }: { problems?: Problems; isPending?: boolean } = {},
): FieldForm<V> {
  const [values, setValues] = useState(start);
  const set: FieldForm<V>['set'] = (name, value) => setValues((old) => ({ ...old, [name]: value }));
  return { values, problems, isPending, isLocked: isPending, set };
}
