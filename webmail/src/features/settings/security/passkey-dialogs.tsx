import { type PasskeyDto, removePasskey, renamePasskey } from '@selvage/core/contracts/two-factor';
import { ConfirmDialog } from '../../../components/dialog/ConfirmDialog.tsx';
import { notify } from '../../../components/feedback/notify.ts';
import { TextField } from '../../../components/form/fields.tsx';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useWords } from '../../../lib/i18n.ts';
import { dialogWords } from '../../../words/dialogs.ts';
import { passkeyWords } from '../../../words/passkeys.ts';
import { PasswordDialog, usePasswordForm } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { AnyCodeField, checkCode, codeFieldNames, proofOf } from './AnyCodeField.tsx';
import { checkName, NameDialog } from './NameDialog.tsx';
import { createPasskey } from './passkey-support.ts';

export function AddPasskeyDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(passkeyWords);
  const refreshAccount = useRefreshAccount();
  const form = usePasswordForm({
    start: { passkey_name: '', code: '' },
    check: ({ passkey_name: name, code }) => ({
      ...checkName('passkey_name', name, t.nameRequired),
      ...checkCode(code),
    }),
    submit: (password, { passkey_name: name, code }) => createPasskey(name.trim(), { password, ...proofOf(code) }),
    fieldNames: codeFieldNames,
    // If the device made no passkey, the code is used up all the same
    onFailed: (error) => (error instanceof ApiError && error.code === 'no_passkey' ? { code: '' } : undefined),
    onDone: async () => {
      notify.success(t.addDone);
      await refreshAccount();
      onClose();
    },
  });
  return (
    <PasswordDialog
      form={form}
      title={t.add}
      text={t.addText}
      submitLabel={t.addSubmit}
      busyLabel={t.addBusy}
      onClose={onClose}
    >
      <TextField form={form} name="passkey_name" label={t.name} hint={t.nameHint} maxLength={100} isRequired />
      <AnyCodeField form={form} />
    </PasswordDialog>
  );
}

interface Props {
  passkey: PasskeyDto;
  onClose: () => void;
}

export function RenamePasskeyDialog({ passkey, onClose }: Props) {
  const t = useWords(passkeyWords);
  const refreshAccount = useRefreshAccount();
  return (
    <NameDialog
      title={t.renameTitle}
      label={t.name}
      required={t.nameRequired}
      name={passkey.passkey_name}
      field="passkey_name"
      run={async (name) => {
        await api(renamePasskey, { params: { id: passkey._id }, body: { passkey_name: name } });
        await refreshAccount();
      }}
      onClose={onClose}
    />
  );
}

export function RemovePasskeyDialog({ passkey, onClose }: Props) {
  const t = useWords(passkeyWords);
  const shared = useWords(dialogWords);
  const refreshAccount = useRefreshAccount();
  const remove = async (): Promise<void> => {
    await api(removePasskey, { params: { id: passkey._id } });
    notify.success(t.removed);
    await refreshAccount();
  };
  return (
    <ConfirmDialog
      title={t.removeTitle}
      text={t.removeText({ name: passkey.passkey_name })}
      confirmLabel={t.remove}
      busyLabel={t.removing}
      cancelLabel={shared.cancel}
      isDangerous
      onConfirm={remove}
      onClose={onClose}
    />
  );
}
