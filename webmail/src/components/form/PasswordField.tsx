import { Field, Input } from '@fluentui/react-components';
import { EyeRegular } from '@fluentui/react-icons/svg/eye';
import { EyeOffRegular } from '@fluentui/react-icons/svg/eye-off';
import { useState } from 'react';
import type { FormValues } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { formWords } from '../../words/forms.ts';
import { IconButton } from '../IconButton.tsx';
import { type FieldProps, fieldOf, setField } from './fields.tsx';

interface Extras {
  autoComplete: 'current-password' | 'new-password';
}

/** A password with a button that shows it. */
export function PasswordField<V extends FormValues>(props: FieldProps<V, string> & Extras) {
  const { form, name, autoComplete } = props;
  const t = useWords(formWords);
  const [isShown, setShown] = useState(false);
  return (
    <Field {...fieldOf({ isRequired: true, ...props })}>
      <Input
        name={name}
        type={isShown ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        value={String(form.values[name])}
        onChange={(_event, { value }) => setField(props, value)}
        contentAfter={
          <IconButton
            label={isShown ? t.hidePassword : t.showPassword}
            size="small"
            icon={isShown ? <EyeOffRegular /> : <EyeRegular />}
            onClick={() => setShown(!isShown)}
          />
        }
      />
    </Field>
  );
}
