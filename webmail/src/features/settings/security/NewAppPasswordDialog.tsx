import { createAppPassword, type SubmissionServerDto } from '@selvage/core/contracts/account';
import { useState } from 'react';
import { InfoDialog } from '../../../components/dialog/InfoDialog.tsx';
import { TextField } from '../../../components/form/fields.tsx';
import { api } from '../../../lib/api.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { appPasswordWords } from '../../../words/app-passwords.ts';
import { PasswordDialog, usePasswordForm } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { AnyCodeField, checkCode, codeFieldNames, proofOf } from './AnyCodeField.tsx';
import { checkName } from './NameDialog.tsx';
import { OneTimeSecret } from '../../../components/OneTimeSecret.tsx';
import { SmtpSettings } from './SmtpSettings.tsx';

interface Made {
  name: string;
  password: string;
  server: SubmissionServerDto;
}

/** Makes a password for a mail program, and shows it the only time. */
export function NewAppPasswordDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(appPasswordWords);
  const refreshAccount = useRefreshAccount();
  const asksForCode = useCurrentUser()?.twoFactorStatus ?? false;
  const [made, setMade] = useState<Made | null>(null);
  const form = usePasswordForm({
    start: { app_name: '', code: '' },
    check: ({ app_name: name, code }) => ({
      ...checkName('app_name', name, t.nameRequired),
      ...(asksForCode ? checkCode(code) : {}),
    }),
    submit: (password, { app_name: name, code }) => {
      const proof = asksForCode ? proofOf(code) : {};
      return api(createAppPassword, { body: { app_name: name.trim(), password, ...proof } });
    },
    fieldNames: codeFieldNames,
    onDone: ({ app_password: password, server }, { app_name: name }) => {
      setMade({ name: name.trim(), password, server });
      void refreshAccount();
    },
  });
  if (made) {
    return (
      <InfoDialog title={t.madeTitle({ name: made.name })} doneLabel={t.done} isShownOnce onClose={onClose}>
        <span>{t.madeText}</span>
        <OneTimeSecret name={t.passwordName} text={made.password} testId="app-password" />
        <SmtpSettings server={made.server} />
      </InfoDialog>
    );
  }
  return (
    <PasswordDialog form={form} title={t.add} submitLabel={t.create} busyLabel={t.creating} onClose={onClose}>
      <TextField form={form} name="app_name" label={t.name} hint={t.nameHint} maxLength={100} isRequired />
      {asksForCode && <AnyCodeField form={form} />}
    </PasswordDialog>
  );
}
