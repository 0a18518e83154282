import { verifyOtp, verifyPassword } from '@selvage/core/contracts/two-factor';
import { Button, makeStyles, Text, tokens } from '@fluentui/react-components';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { CodeField } from '../../../components/form/CodeField.tsx';
import { CopyButton } from '../../../components/CopyButton.tsx';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { api } from '../../../lib/api.ts';
import { PasswordDialog } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { isSixDigits, NOT_SIX_DIGITS, problemOfCode } from './code.ts';
import { OneTimeCodes } from './OneTimeCodes.tsx';

const useStyles = makeStyles({
  picture: {
    alignSelf: 'center',
    width: '200px',
    height: '200px',
    padding: tokens.spacingHorizontalS,
    borderRadius: tokens.borderRadiusMedium,
    // a QR code is dark on light in both themes
    backgroundColor: tokens.colorNeutralForegroundStaticInverted,
    boxSizing: 'border-box',
  },
  secret: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  code: { fontFamily: tokens.fontFamilyMonospace, overflowWrap: 'anywhere', userSelect: 'text' },
});

interface Secret {
  picture: string;
  text: string;
}

type Step = { name: 'password' } | { name: 'scan' | 'code'; secret: Secret } | { name: 'done'; codes: string[] };

/** Turns two-factor on: the password, the QR code, the app's first code, and the recovery codes. */
export function TurnOnDialog({ onClose }: { onClose: () => void }) {
  const refreshAccount = useRefreshAccount();
  const [step, setStep] = useState<Step>({ name: 'password' });
  const begin = async (password: string): Promise<void> => {
    const answer = await api(verifyPassword, { body: { password, onoff_status: true } });
    setStep({ name: 'scan', secret: { picture: answer.data ?? '', text: answer.secret ?? '' } });
  };
  switch (step.name) {
    case 'password':
      return (
        <PasswordDialog
          title="Turn on two-factor authentication"
          text="You need an app for one-time codes on your phone, such as Aegis, Google Authenticator or Microsoft Authenticator."
          submitLabel="Next"
          pendingLabel="Checking"
          run={begin}
          onClose={onClose}
        />
      );
    case 'scan':
      return <ScanStep secret={step.secret} onNext={() => setStep({ ...step, name: 'code' })} onClose={onClose} />;
    case 'code':
      return (
        <CodeStep
          onBack={() => setStep({ ...step, name: 'scan' })}
          onDone={(codes) => {
            setStep({ name: 'done', codes });
            void refreshAccount();
          }}
          onClose={onClose}
        />
      );
    case 'done':
      return (
        <FormDialog
          title="Two-factor authentication is on"
          submitLabel="I have kept them"
          onSubmit={onClose}
          onClose={onClose}
        >
          <OneTimeCodes codes={step.codes} />
        </FormDialog>
      );
  }
}

function ScanStep({ secret, onNext, onClose }: { secret: Secret; onNext: () => void; onClose: () => void }) {
  const styles = useStyles();
  return (
    <FormDialog
      title="Scan this code with your app"
      submitLabel="Next"
      cancelLabel="Cancel"
      onSubmit={onNext}
      onClose={onClose}
    >
      <img className={styles.picture} src={secret.picture} alt="QR code for your app; its secret stands below" />
      <Text>If your app can’t scan it, type this secret:</Text>
      <div className={styles.secret}>
        <Text className={styles.code} data-testid="secret">
          {secret.text.match(/.{1,4}/g)?.join(' ')}
        </Text>
        <CopyButton name="the secret" text={secret.text} />
      </div>
    </FormDialog>
  );
}

interface CodeProps {
  onBack: () => void;
  onDone: (codes: string[]) => void;
  onClose: () => void;
}

function CodeStep({ onBack, onDone, onClose }: CodeProps) {
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const inputRef = useRef<HTMLInputElement>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (otp: string) => api(verifyOtp, { body: { otp, tfa_status: true } }),
    onSuccess: (answer) => onDone(answer.recovery_codes ?? []),
    onError: (error) => {
      setProblem(problemOfCode(error));
      setCode('');
      inputRef.current?.focus();
    },
  });
  const submit = (otp: string): void => {
    if (isPending) return;
    if (isSixDigits(otp)) mutate(otp);
    else setProblem(NOT_SIX_DIGITS);
  };
  return (
    <FormDialog
      title="Enter the code of your app"
      submitLabel="Turn on"
      pendingLabel="Checking"
      isPending={isPending}
      cancelLabel="Cancel"
      aside={
        <Button disabled={isPending} onClick={onBack}>
          Back
        </Button>
      }
      onSubmit={() => submit(code)}
      onClose={onClose}
    >
      <CodeField
        label="6-digit code"
        value={code}
        problem={problem}
        isReadOnly={isPending}
        inputRef={inputRef}
        onChange={(value) => {
          setCode(value);
          setProblem(undefined);
        }}
        onComplete={submit}
      />
    </FormDialog>
  );
}
