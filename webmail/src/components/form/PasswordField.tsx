import { Button, Field, Input, makeStyles } from '@fluentui/react-components';
import { EyeRegular } from '@fluentui/react-icons/svg/eye';
import { EyeOffRegular } from '@fluentui/react-icons/svg/eye-off';
import { useState } from 'react';
import type { FormValues } from '../../hooks/use-form.ts';
import { generatePassword } from '../../lib/generate-password.ts';
import { useWords } from '../../lib/i18n.ts';
import { formWords } from '../../words/forms.ts';
import { IconButton } from '../IconButton.tsx';
import { type FieldProps, fieldOf, setField } from './fields.tsx';

const useStyles = makeStyles({
  // the buttons stay inside, however narrow the field is
  input: { minWidth: 0, '& input': { minWidth: 0 } },
});

interface Extras {
  autoComplete: 'current-password' | 'new-password';
  /** Offers a random password, for one that is set for another person. */
  canGenerate?: boolean;
}

/** A password with a button that shows it, and one that makes it where that is wanted. */
export function PasswordField<V extends FormValues>(props: FieldProps<V, string> & Extras) {
  const { form, name, autoComplete, canGenerate = false } = props;
  const styles = useStyles();
  const t = useWords(formWords);
  const [isShown, setShown] = useState(false);
  const handleGenerate = (): void => {
    setField(props, generatePassword());
    setShown(true);
  };
  return (
    <Field {...fieldOf({ isRequired: true, ...props })}>
      <Input
        className={styles.input}
        name={name}
        type={isShown ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        value={String(form.values[name])}
        onChange={(_event, { value }) => setField(props, value)}
        contentAfter={
          <>
            {canGenerate && (
              <Button size="small" appearance="transparent" onClick={handleGenerate}>
                {t.generate}
              </Button>
            )}
            <IconButton
              label={isShown ? t.hidePassword : t.showPassword}
              size="small"
              icon={isShown ? <EyeOffRegular /> : <EyeRegular />}
              onClick={() => setShown(!isShown)}
            />
          </>
        }
      />
    </Field>
  );
}
