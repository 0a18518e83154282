import { revealVariable, type VariableDto } from '@selvage/core/contracts/environment';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { environmentWords } from '../../../words/environment.ts';
import { PasswordDialog, usePasswordForm } from '../PasswordDialog.tsx';

interface Props {
  variable: VariableDto;
  onShown: (value: string) => void;
  onClose: () => void;
}

/** Asks for the person's password, and shows the value of a secret variable. */
export function RevealDialog({ variable: { key }, onShown, onClose }: Props) {
  const t = useWords(environmentWords);
  const form = usePasswordForm({
    start: {},
    submit: (password) => api(revealVariable, { body: { key, password } }),
    onDone: ({ value }) => {
      onShown(value);
      onClose();
    },
  });
  return (
    <PasswordDialog
      form={form}
      title={t.revealTitle({ key })}
      text={t.revealText}
      submitLabel={t.reveal}
      busyLabel={t.revealing}
      onClose={onClose}
    />
  );
}
