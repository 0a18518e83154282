import { renewRecoveryCodes } from '@selvage/core/contracts/two-factor';
import { useState } from 'react';
import { InfoDialog } from '../../../components/dialog/InfoDialog.tsx';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { twoFactorWords } from '../../../words/two-factor.ts';
import { PasswordDialog, usePasswordForm } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { AnyCodeField, checkCode, codeFieldNames, proofOf } from './AnyCodeField.tsx';
import { OneTimeCodes } from './OneTimeCodes.tsx';

/** Makes new recovery codes in place of the old ones. */
export function RenewCodesDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(twoFactorWords);
  const refreshAccount = useRefreshAccount();
  const [codes, setCodes] = useState<string[] | null>(null);
  const form = usePasswordForm({
    start: { code: '' },
    check: ({ code }) => checkCode(code),
    submit: (password, { code }) => api(renewRecoveryCodes, { body: { password, ...proofOf(code) } }),
    fieldNames: codeFieldNames,
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
      <AnyCodeField form={form} isFirst />
    </PasswordDialog>
  );
}
