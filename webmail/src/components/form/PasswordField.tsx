import { Field, Input, makeStyles } from '@fluentui/react-components';
import { EyeRegular } from '@fluentui/react-icons/svg/eye';
import { EyeOffRegular } from '@fluentui/react-icons/svg/eye-off';
import { KeyRegular } from '@fluentui/react-icons/svg/key';
import { useState } from 'react';
import type { FormValues } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { formWords } from '../../words/forms.ts';
import { IconButton } from '../IconButton.tsx';
import { type FieldProps, fieldOf, setField } from './fields.tsx';

const useStyles = makeStyles({
  // as narrow as its place, beside its buttons
  field: { minWidth: 0, '& input': { minWidth: 0 } },
  buttons: { display: 'flex' },
});

interface Extras {
  autoComplete: 'current-password' | 'new-password';
  /** Makes a password for another person. With it there is a button that fills one in and shows it. */
  generate?: () => string;
}

/** A password with a button that shows it. */
export function PasswordField<V extends FormValues>(props: FieldProps<V, string> & Extras) {
  const { form, name, autoComplete, generate } = props;
  const styles = useStyles();
  const t = useWords(formWords);
  const [isShown, setShown] = useState(false);
  const handleGenerate = (): void => {
    if (!generate) return;
    setField(props, generate());
    setShown(true);
  };
  return (
    <Field {...fieldOf({ isRequired: true, ...props })}>
      <Input
        className={styles.field}
        name={name}
        type={isShown ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        value={String(form.values[name])}
        onChange={(_event, { value }) => setField(props, value)}
        contentAfter={
          <span className={styles.buttons}>
            {generate && (
              <IconButton label={t.generatePassword} size="small" icon={<KeyRegular />} onClick={handleGenerate} />
            )}
            <IconButton
              label={isShown ? t.hidePassword : t.showPassword}
              size="small"
              icon={isShown ? <EyeOffRegular /> : <EyeRegular />}
              onClick={() => setShown(!isShown)}
            />
          </span>
        }
      />
    </Field>
  );
}
