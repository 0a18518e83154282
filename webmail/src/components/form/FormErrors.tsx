import type { FormFrame } from '../../hooks/use-form.ts';
import { FormConflict } from './FormConflict.tsx';
import { FormMessage } from './FormMessage.tsx';

/** What is wrong with all of a form, above its fields. */
export function FormErrors({ form }: { form: Pick<FormFrame, 'failure' | 'conflict' | 'merge' | 'takeTheirs'> }) {
  return (
    <>
      <FormMessage text={form.failure} />
      {form.conflict && <FormConflict conflict={form.conflict} onMerge={form.merge} onTakeTheirs={form.takeTheirs} />}
    </>
  );
}
