import { Button } from '@fluentui/react-components';
import type { FormValues } from '../../hooks/use-form.ts';
import { generatePassword } from '../../lib/generate-password.ts';
import { useWords } from '../../lib/i18n.ts';
import { formWords } from '../../words/forms.ts';
import { type FieldProps, setField } from './fields.tsx';
import { PasswordField } from './PasswordField.tsx';

/** A password for another person, with a button that makes a random one and shows it. */
export function GivenPasswordField<V extends FormValues>(props: FieldProps<V, string>) {
  const t = useWords(formWords);
  const handleGenerate = (show: () => void): void => {
    setField(props, generatePassword());
    show();
  };
  return (
    <PasswordField
      {...props}
      autoComplete="new-password"
      renderAside={(show) => (
        <Button size="small" appearance="transparent" onClick={() => handleGenerate(show)}>
          {t.generate}
        </Button>
      )}
    />
  );
}
