import { verifyPassword } from '@selvage/core/contracts/two-factor';
import { useState } from 'react';
import { InfoDialog } from '../../../components/dialog/InfoDialog.tsx';
import { api } from '../../../lib/api.ts';
import { useWords } from '../../../lib/i18n.ts';
import { twoFactorWords } from '../../../words/two-factor.ts';
import { PasswordDialog, usePasswordForm } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { TurnOffStep } from './TurnOffStep.tsx';

interface Props {
  /** The app is not at hand: the other ways come first. */
  hasLostAccess: boolean;
  onClose: () => void;
}

/**
 * Turns two-factor off: the password, then a code from the app, a recovery code, or a mailed code.
 */
export function TurnOffDialog({ hasLostAccess, onClose }: Props) {
  const t = useWords(twoFactorWords);
  const [step, setStep] = useState<'password' | 'code' | 'done'>('password');
  const refreshAccount = useRefreshAccount();
  if (step === 'password') {
    return <PasswordStep hasLostAccess={hasLostAccess} onNext={() => setStep('code')} onClose={onClose} />;
  }
  if (step === 'code') {
    return (
      <TurnOffStep
        hasLostAccess={hasLostAccess}
        onDone={() => {
          setStep('done');
          void refreshAccount();
        }}
        onClose={onClose}
      />
    );
  }
  return (
    <InfoDialog title={t.isOff} doneLabel={t.done} onClose={onClose}>
      <span>{t.isOffText}</span>
    </InfoDialog>
  );
}

function PasswordStep({ hasLostAccess, onNext, onClose }: Props & { onNext: () => void }) {
  const t = useWords(twoFactorWords);
  const form = usePasswordForm({
    start: {},
    submit: (password) => api(verifyPassword, { body: { password, onoff_status: false } }),
    onDone: onNext,
  });
  return (
    <PasswordDialog
      form={form}
      title={hasLostAccess ? t.lostTitle : t.turnOffTitle}
      text={hasLostAccess ? t.lostText : t.turnOffText}
      submitLabel={t.next}
      busyLabel={t.checking}
      onClose={onClose}
    />
  );
}
