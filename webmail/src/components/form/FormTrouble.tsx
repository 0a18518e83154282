import type { FormFrame } from '../../hooks/use-form.ts';
import { lazyExtra } from '../lazy-extra.tsx';
import { FormMessage } from './FormMessage.tsx';

/** Rare: fetched when another person has saved the same record. */
const FormConflict = lazyExtra(() => import('./FormConflict.tsx'));

/** What is wrong with all of a form, above its fields. */
export function FormTrouble({ form }: { form: Pick<FormFrame, 'failure' | 'conflict' | 'merge' | 'takeTheirs'> }) {
  return (
    <>
      <FormMessage text={form.failure} />
      {form.conflict && <FormConflict conflict={form.conflict} onMerge={form.merge} onTakeTheirs={form.takeTheirs} />}
    </>
  );
}
