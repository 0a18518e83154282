import { encodePassword } from '@selvage/core/contracts/encode-password';
import { Text } from '@fluentui/react-components';
import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { PasswordField } from '../../components/form/PasswordField.tsx';
import { ApiError, messageOf } from '../../lib/api-error.ts';

interface Props {
  title: string;
  text?: string;
  submitLabel: string;
  pendingLabel: string;
  /** Fields that stand before the password. */
  children?: ReactNode;
  /** Checks those fields; false keeps the password from being sent. */
  isValid?: () => boolean;
  /** Does it with the encoded password; when it is done the dialog is closed by whoever opened it. */
  run: (password: string) => Promise<void>;
  /** Shows what the server found wrong with the other fields; true when it could. */
  showProblems?: (fields: Record<string, string>) => boolean;
  onClose: () => void;
}

/** Asks for the own password before a change that a stolen session must not make. */
export function PasswordDialog(props: Props) {
  const { title, text, submitLabel, pendingLabel, children, isValid, run, showProblems, onClose } = props;
  const [password, setPassword] = useState('');
  const [fieldText, setFieldText] = useState<string | undefined>();
  const [problem, setProblem] = useState<string | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: () => run(encodePassword(password)),
    onError: (error) => {
      const fields = error instanceof ApiError ? error.fields : {};
      setFieldText(fields['password']);
      const isShown = fields['password'] !== undefined || (showProblems?.(fields) ?? false);
      if (!isShown) setProblem(messageOf(error));
    },
  });
  const handleSubmit = (): void => {
    const areOthersFine = isValid?.() ?? true;
    setProblem(null);
    setFieldText(password ? undefined : 'Password is required');
    if (areOthersFine && password) mutate();
  };
  return (
    <FormDialog
      title={title}
      submitLabel={submitLabel}
      pendingLabel={pendingLabel}
      isPending={isPending}
      problem={problem}
      cancelLabel="Cancel"
      onSubmit={handleSubmit}
      onClose={onClose}
    >
      {text && <Text>{text}</Text>}
      {children}
      <PasswordField
        label="Your password"
        name="password"
        autoComplete="current-password"
        value={password}
        problem={fieldText}
        onChange={(value) => {
          setPassword(value);
          setFieldText(undefined);
        }}
      />
    </FormDialog>
  );
}
