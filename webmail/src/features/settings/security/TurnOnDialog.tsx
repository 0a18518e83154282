import { verifyOtp, verifyPassword } from '@selvage/core/contracts/two-factor';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { DialogFrame } from '../../../components/dialog/DialogFrame.tsx';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { InfoDialog } from '../../../components/dialog/InfoDialog.tsx';
import { CodeField } from '../../../components/form/CodeField.tsx';
import { useCodeForm } from '../../../hooks/use-code-form.ts';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useWords } from '../../../lib/i18n.ts';
import { dialogWords } from '../../../words/dialogs.ts';
import { twoFactorWords } from '../../../words/two-factor.ts';
import { PasswordDialog, usePasswordForm } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { OneTimeCodes } from './OneTimeCodes.tsx';
import { OneTimeSecret } from '../../../components/OneTimeSecret.tsx';

const useStyles = makeStyles({
  picture: {
    alignSelf: 'center',
    width: '200px',
    height: '200px',
    padding: tokens.spacingHorizontalS,
    borderRadius: tokens.borderRadiusMedium,
    // A QR code is dark on light in both themes
    backgroundColor: tokens.colorNeutralForegroundStaticInverted,
    boxSizing: 'border-box',
  },
});

interface Secret {
  picture: string;
  text: string;
}

type Step =
  | { name: 'password'; isLate: boolean }
  | { name: 'scan' | 'code'; secret: Secret }
  | { name: 'done'; codes: string[] };

interface Props {
  /** Two-factor is on, and another app takes the place of the one before. */
  isReplacing?: boolean;
  onClose: () => void;
}

/**
 * Turns two-factor on: the password, the QR code, the app's first code, and the recovery codes.
 * Where it is on, these steps set up another app, and the recovery codes stay.
 */
export function TurnOnDialog({ isReplacing = false, onClose }: Props) {
  const t = useWords(twoFactorWords);
  const refreshAccount = useRefreshAccount();
  const [step, setStep] = useState<Step>({ name: 'password', isLate: false });
  switch (step.name) {
    case 'password':
      return (
        <PasswordStep
          isReplacing={isReplacing}
          isLate={step.isLate}
          onNext={(secret) => setStep({ name: 'scan', secret })}
          onClose={onClose}
        />
      );
    case 'scan':
      return <ScanStep secret={step.secret} onNext={() => setStep({ ...step, name: 'code' })} onClose={onClose} />;
    case 'code':
      return (
        <CodeStep
          submitLabel={isReplacing ? t.useApp : t.turnOn}
          onBack={() => setStep({ ...step, name: 'scan' })}
          onLate={() => setStep({ name: 'password', isLate: true })}
          onDone={(codes) => {
            setStep({ name: 'done', codes });
            void refreshAccount();
          }}
          onClose={onClose}
        />
      );
    case 'done':
      if (isReplacing) {
        return (
          <InfoDialog title={t.replaced} doneLabel={t.done} onClose={onClose}>
            <span>{t.replacedText}</span>
          </InfoDialog>
        );
      }
      return (
        <InfoDialog title={t.isOn} doneLabel={t.codesKept} isShownOnce onClose={onClose}>
          <OneTimeCodes codes={step.codes} />
        </InfoDialog>
      );
  }
}

interface PasswordProps {
  isReplacing: boolean;
  /** The code came too late, so that another one has to be scanned. */
  isLate: boolean;
  onNext: (secret: Secret) => void;
  onClose: () => void;
}

function PasswordStep({ isReplacing, isLate, onNext, onClose }: PasswordProps) {
  const t = useWords(twoFactorWords);
  const text = isReplacing ? t.replaceText : t.turnOnText;
  const form = usePasswordForm({
    start: {},
    submit: (password) => api(verifyPassword, { body: { password, onoff_status: true } }),
    onDone: ({ data, secret }) => onNext({ picture: data ?? '', text: secret ?? '' }),
  });
  return (
    <PasswordDialog
      form={form}
      title={isReplacing ? t.replaceTitle : t.turnOnTitle}
      text={isLate ? t.late : text}
      submitLabel={t.next}
      busyLabel={t.checking}
      onClose={onClose}
    />
  );
}

function ScanStep({ secret, onNext, onClose }: { secret: Secret; onNext: () => void; onClose: () => void }) {
  const styles = useStyles();
  const t = useWords(twoFactorWords);
  const shared = useWords(dialogWords);
  return (
    <DialogFrame
      title={t.scanTitle}
      size="small"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{shared.cancel}</Button>
          <Button appearance="primary" data-autofocus onClick={onNext}>
            {t.next}
          </Button>
        </>
      }
    >
      <img className={styles.picture} src={secret.picture} alt={t.scanPicture} />
      <span>{t.scanSecret}</span>
      <OneTimeSecret
        name={t.secretName}
        text={secret.text}
        shown={secret.text.match(/.{1,4}/g)?.join(' ') ?? ''}
        testId="secret"
      />
    </DialogFrame>
  );
}

interface CodeProps {
  submitLabel: string;
  onBack: () => void;
  /** The server remembers the password for ten minutes, and they are over. */
  onLate: () => void;
  onDone: (codes: string[]) => void;
  onClose: () => void;
}

function CodeStep({ submitLabel, onBack, onLate, onDone, onClose }: CodeProps) {
  const t = useWords(twoFactorWords);
  const form = useCodeForm({
    submit: (otp) =>
      api(verifyOtp, { body: { otp, tfa_status: true } }).catch((error: unknown) => {
        if (error instanceof ApiError && error.code === 'password_first') onLate();
        throw error;
      }),
    onDone: (answer) => onDone(answer.recovery_codes ?? []),
  });
  return (
    <FormDialog
      form={form}
      title={t.codeTitle}
      size="small"
      submitLabel={submitLabel}
      busyLabel={t.checking}
      aside={
        <Button disabledFocusable={form.isPending} onClick={onBack}>
          {t.back}
        </Button>
      }
      onClose={onClose}
    >
      <CodeField form={form} name="otp" label={t.code} onComplete={(otp) => void form.send({ otp })} />
    </FormDialog>
  );
}
