import { Field, Input, makeStyles } from '@fluentui/react-components';
import { EyeRegular } from '@fluentui/react-icons/svg/eye';
import { EyeOffRegular } from '@fluentui/react-icons/svg/eye-off';
import { type ReactNode, useState } from 'react';
import type { FormValues } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { formWords } from '../../words/forms.ts';
import { IconButton } from '../IconButton.tsx';
import { type FieldProps, fieldOf, setField } from './fields.tsx';

const useStyles = makeStyles({
  // The buttons stay inside, however narrow the field is
  input: { minWidth: 0, '& input': { minWidth: 0 } },
});

interface Extras {
  autoComplete: 'current-password' | 'new-password';
  /** Stands before the button that shows the password, and can have it shown. */
  renderAside?: (show: () => void) => ReactNode;
}

/** A password with a button that shows it. */
export function PasswordField<V extends FormValues>(props: FieldProps<V, string> & Extras) {
  const { form, name, autoComplete, renderAside } = props;
  const styles = useStyles();
  const t = useWords(formWords);
  const [isShown, setShown] = useState(false);
  return (
    <Field {...fieldOf({ isRequired: true, ...props })}>
      <Input
        className={styles.input}
        name={name}
        type={isShown ? 'text' : 'password'}
        autoComplete={autoComplete}
        autoCapitalize="none"
        spellCheck={false}
        readOnly={form.isLocked}
        value={String(form.values[name] ?? '')}
        onChange={(_event, { value }) => setField(props, value)}
        contentAfter={
          <>
            {renderAside?.(() => setShown(true))}
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
