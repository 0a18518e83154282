import { Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import { useRef } from 'react';
import type { FormValues } from '../../hooks/use-form.ts';
import { cleanDigits } from '../../lib/clean.ts';
import { type FieldProps, fieldOf, setField } from './fields.tsx';

const LENGTH = 6;

const useStyles = makeStyles({
  input: {
    width: '100%',
    maxWidth: '240px',
    '& input': {
      fontSize: tokens.fontSizeBase600,
      letterSpacing: '0.35em',
      fontVariantNumeric: 'tabular-nums',
      fontFamily: tokens.fontFamilyMonospace,
    },
  },
});

interface Extras {
  /** The sixth digit was typed or pasted. */
  onComplete: (code: string) => void;
}

/** Six digits from an app or a mail. Other characters that are pasted along are left out. */
export function CodeField<V extends FormValues>(props: FieldProps<V, string> & Extras) {
  const { form, name, onComplete } = props;
  const styles = useStyles();
  const last = useRef('');
  const handleChange = (text: string): void => {
    const code = cleanDigits(text).slice(0, LENGTH);
    setField(props, code);
    // Once for each code: a wrong one is corrected before it is tried again
    if (code.length === LENGTH && code !== last.current) onComplete(code);
    last.current = code;
  };
  return (
    <Field {...fieldOf({ isRequired: true, ...props })}>
      <Input
        className={styles.input}
        size="large"
        name={name}
        value={String(form.values[name] ?? '')}
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={form.isPending}
        data-autofocus
        onChange={(_event, data) => handleChange(data.value)}
      />
    </Field>
  );
}
