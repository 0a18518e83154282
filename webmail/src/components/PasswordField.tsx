import { Field, Input } from '@fluentui/react-components';
import { EyeRegular } from '@fluentui/react-icons/svg/eye';
import { EyeOffRegular } from '@fluentui/react-icons/svg/eye-off';
import { type ReactNode, useState } from 'react';
import { fieldProblem } from './field-problem.ts';
import { IconButton } from './IconButton.tsx';

interface Props {
  label: string;
  name: string;
  value: string;
  problem?: string | undefined;
  hint?: ReactNode;
  autoComplete: 'current-password' | 'new-password';
  onChange: (text: string) => void;
}

/** A password with a button that shows it. */
export function PasswordField({ label, name, value, problem, hint, autoComplete, onChange }: Props) {
  const [isShown, setShown] = useState(false);
  return (
    <Field label={label} required hint={hint ? { children: hint } : undefined} {...fieldProblem(problem)}>
      <Input
        name={name}
        type={isShown ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        value={value}
        onChange={(_event, data) => onChange(data.value)}
        contentAfter={
          <IconButton
            label={isShown ? 'Hide password' : 'Show password'}
            size="small"
            icon={isShown ? <EyeOffRegular /> : <EyeRegular />}
            onClick={() => setShown(!isShown)}
          />
        }
      />
    </Field>
  );
}
