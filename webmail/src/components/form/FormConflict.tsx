import { Button } from '@fluentui/react-components';
import type { Conflict } from '../../lib/api-error.ts';
import { fullDate } from '../../lib/format.ts';
import { useWords } from '../../lib/i18n.ts';
import { formWords } from '../../words/forms.ts';
import { FormMessage } from './FormMessage.tsx';

interface Props {
  conflict: Conflict;
  onMerge: () => void;
  onTakeTheirs: () => void;
}

/**
 * Says who saved the record meanwhile and what they changed, and lets the person go on without
 * losing their own changes.
 */
export function FormConflict({ conflict: { by, at, fields }, onMerge, onTakeTheirs }: Props) {
  const t = useWords(formWords);
  const who = { by: by ?? t.anotherPerson, at: fullDate(at) };
  const text = fields.length > 0 ? t.conflictFields({ ...who, fields: fields.join(', ') }) : t.conflict(who);
  return (
    <FormMessage
      intent="warning"
      text={text}
      action={
        <>
          <Button size="small" onClick={onMerge}>
            {t.keepMine}
          </Button>
          <Button size="small" onClick={onTakeTheirs}>
            {t.takeTheirs}
          </Button>
        </>
      }
    />
  );
}
