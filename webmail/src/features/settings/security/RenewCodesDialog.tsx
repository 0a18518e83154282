import { renewRecoveryCodes } from '@selvage/core/contracts/two-factor';
import { useState } from 'react';
import { InfoDialog } from '../../../components/dialog/InfoDialog.tsx';
import { TextField } from '../../../components/form/fields.tsx';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import type { Problems } from '../../../lib/problems.ts';
import { twoFactorWords } from '../../../words/two-factor.ts';
import { PasswordDialog, usePasswordForm } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { OneTimeCodes } from './OneTimeCodes.tsx';

/** Six digits are a code of the app: recovery codes are longer. */
const sixDigits = /^\d{6}$/;

function proofOf(typed: string): { otp: string } | { recovery_code: string } {
  const code = typed.trim();
  return sixDigits.test(code) ? { otp: code } : { recovery_code: code };
}

/** Makes new recovery codes in place of the old ones. */
export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(twoFactorWords);
  const refreshAccount = useRefreshAccount();
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = usePasswordForm({
    start: { code: '' },
    check: ({ code }): Problems => (code.trim() ? {} : { code: t.anyCodeRequired }),
    submit: (password, { code }) => api(renewRecoveryCodes, { body: { password, ...proofOf(code) } }),
    fieldNames: { otp: 'code', recovery_code: 'code' },
    onDone: (answer) => {
      setCodes(answer.recovery_codes);
      void refreshAccount();
    },
  });
  if (codes) {
    return (
      <InfoDialog title={t.renewed} doneLabel={t.codesKept} isShownOnce onClose={onClose}>
        <OneTimeCodes codes={codes} />
      </InfoDialog>
    );
  }
  return (
    <PasswordDialog
      form={form}
      title={t.renew}
      text={t.renewText}
      submitLabel={t.renewSubmit}
      busyLabel={t.renewBusy}
      onClose={onClose}
    >
      <TextField
        form={form}
        name="code"
        label={t.anyCode}
        autoComplete="one-time-code"
        autoCapitalize="none"
        spellCheck={false}
        isRequired
        data-autofocus
      />
    </PasswordDialog>
  );
}
