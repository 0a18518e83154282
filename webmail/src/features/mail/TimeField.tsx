import { Field, Input } from '@fluentui/react-components';
import { useState } from 'react';
import { useWords } from '../../lib/i18n.ts';
import { ownTimeZone } from '../../lib/own-time-zone.ts';
import { sendTimeWords } from '../../words/scheduled.ts';
import { fieldText } from './send-times.ts';

interface Props {
  /** As `fieldText` gives it. */
  value: string;
  problem: string | null;
  onChange: (value: string) => void;
  onEnter: () => void;
}

/** A date and a time to come, in the zone of the device. */
export function TimeField({ value, problem, onChange, onEnter }: Props) {
  const t = useWords(sendTimeWords);
  const [soonest] = useState(() => fieldText(new Date()));
  return (
    <Field
      label={t.field}
      hint={t.zone({ zone: ownTimeZone() })}
      {...(problem === null ? {} : { validationMessage: problem })}
    >
      <Input
        type="datetime-local"
        value={value}
        min={soonest}
        onChange={(_event, data) => onChange(data.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          event.stopPropagation();
          onEnter();
        }}
      />
    </Field>
  );
}
