import { Field, Input, makeStyles, tokens } from '@fluentui/react-components';
import { type Ref, useRef } from 'react';
import { fieldProblem } from './field-problem.ts';

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

interface Props {
  label: string;
  value: string;
  problem?: string | undefined;
  hint?: string | undefined;
  isReadOnly?: boolean;
  inputRef?: Ref<HTMLInputElement>;
  onChange: (code: string) => void;
  /** The sixth digit was typed or pasted. */
  onComplete: (code: string) => void;
}

/** Six digits from an app or a mail. Whatever else is pasted along is left out. */
export function CodeField({ label, value, problem, hint, isReadOnly, inputRef, onChange, onComplete }: Props) {
  const styles = useStyles();
  const last = useRef(value);
  const handleChange = (text: string): void => {
    const code = text.replace(/\D/g, '').slice(0, LENGTH);
    onChange(code);
    // once for each code: a wrong one is corrected before it is tried again
    if (code.length === LENGTH && code !== last.current) onComplete(code);
    last.current = code;
  };
  return (
    <Field label={label} required hint={hint} {...fieldProblem(problem)}>
      <Input
        input={{ ref: inputRef }}
        className={styles.input}
        size="large"
        name="otp"
        value={value}
        inputMode="numeric"
        pattern="[0-9]*"
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        readOnly={isReadOnly === true}
        onChange={(_event, data) => handleChange(data.value)}
      />
    </Field>
  );
}
