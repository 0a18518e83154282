import { encodePassword } from '@selvage/core/contracts/encode-password';
import { beginPasskeyProof, confirmSession } from '@selvage/core/contracts/two-factor';
import { type ReactNode, useState } from 'react';
import { PasswordField } from '../../../components/form/PasswordField.tsx';
import { type FormFrame, useForm } from '../../../hooks/use-form.ts';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { askPasskey } from '../../../lib/ask-passkey.ts';
import { useWords } from '../../../lib/i18n.ts';
import type { Problems } from '../../../lib/problems.ts';
import { confirmWords } from '../../../words/confirm.ts';
import { ownPasswordWords } from '../../../words/own-password.ts';
import { secondFactorWords } from '../../../words/second-factor.ts';
import { usePasswordForm } from '../PasswordDialog.tsx';
import { AnyCodeField, checkCode, codeFieldNames, proofOf } from './AnyCodeField.tsx';

/** One way to confirm that it is the person: what choosing it is called, and what it asks for. */
interface Way {
  label: string;
  form: FormFrame;
  fields: ReactNode;
  submitLabel: string;
  busyLabel: string;
}

/** The password, and a code where two-factor is on. */
export function usePasswordWay(asksForCode: boolean, onDone: () => void): Way {
  const t = useWords(confirmWords);
  const { label } = useWords(ownPasswordWords);
  const form = usePasswordForm({
    start: { code: '' },
    check: ({ code }) => (asksForCode ? checkCode(code) : {}),
    submit: (password, { code }) => api(confirmSession, { body: { password, ...(asksForCode ? proofOf(code) : {}) } }),
    fieldNames: codeFieldNames,
    onDone,
  });
  return {
    label: t.usePassword,
    form,
    fields: (
      <>
        {asksForCode && <AnyCodeField form={form} />}
        <PasswordField form={form} name="password" label={label} autoComplete="current-password" />
      </>
    ),
    submitLabel: t.submit,
    busyLabel: t.busy,
  };
}

/** A passkey. The password is asked for once the server says that this passkey needs it as well. */
export function usePasskeyWay(onDone: () => void): Way {
  const t = useWords(secondFactorWords);
  const { label, required } = useWords(ownPasswordWords);
  const [asksForPassword, setAsksForPassword] = useState(false);
  const form = useForm({
    start: { password: '' },
    check: ({ password }): Problems => (asksForPassword && !password ? { password: required } : {}),
    submit: async ({ password }) => {
      const response = await askPasskey(() => api(beginPasskeyProof, {}), t.passkeyFailed);
      const given = password ? { password: encodePassword(password) } : {};
      return await api(confirmSession, { body: { ...given, response } });
    },
    onFailed: (error) => {
      if (error instanceof ApiError && 'password' in error.fields) setAsksForPassword(true);
      return undefined;
    },
    onDone,
  });
  return {
    label: t.usePasskey,
    form,
    fields: (
      <>
        <span>{t.passkeyText}</span>
        {asksForPassword && <PasswordField form={form} name="password" label={label} autoComplete="current-password" />}
      </>
    ),
    submitLabel: t.passkeySubmit,
    busyLabel: t.passkeyBusy,
  };
}
