import { confirmSession } from '@selvage/core/contracts/two-factor';
import { api } from '../../../lib/api.ts';
import type { WaitingCall } from '../../../lib/confirm-first.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { confirmWords } from '../../../words/confirm.ts';
import { PasswordDialog, usePasswordForm } from '../PasswordDialog.tsx';
import { AnyCodeField, checkCode, codeFieldNames, proofOf } from './AnyCodeField.tsx';

/** Asks for the password, and a code where two-factor is on, before the call is made again. */
export default function ConfirmSessionDialog({ call }: { call: WaitingCall }) {
  const t = useWords(confirmWords);
  const asksForCode = useCurrentUser()?.twoFactorStatus ?? false;
  const form = usePasswordForm({
    start: { code: '' },
    check: ({ code }) => (asksForCode ? checkCode(code) : {}),
    submit: (password, { code }) => api(confirmSession, { body: { password, ...(asksForCode ? proofOf(code) : {}) } }),
    fieldNames: codeFieldNames,
    onDone: () => call.end(true),
  });
  return (
    <PasswordDialog
      form={form}
      title={t.title}
      text={t.text}
      submitLabel={t.submit}
      busyLabel={t.busy}
      onClose={() => call.end(false)}
    >
      {asksForCode && <AnyCodeField form={form} />}
    </PasswordDialog>
  );
}
