import { sendRecoveryOtp, verifyOtp, verifyPassword, verifyRecoveryOtp } from '@selvage/core/contracts/two-factor';
import { Field, Input, makeStyles, Radio, RadioGroup, Text, tokens } from '@fluentui/react-components';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { CodeField } from '../../../components/form/CodeField.tsx';
import { fieldProblem } from '../../../components/form/field-problem.ts';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { api } from '../../../lib/api.ts';
import { messageOf } from '../../../lib/api-error.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { PasswordDialog } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { isSixDigits, NOT_SIX_DIGITS, problemOfCode } from './code.ts';

const useStyles = makeStyles({
  quiet: { color: tokens.colorNeutralForeground2 },
});

type Way = 'app' | 'recovery_code' | 'recovery_email';

interface Props {
  /** The app is not at hand: the other ways come first. */
  hasLostAccess: boolean;
  onClose: () => void;
}

/** Turns two-factor off: the password, then a code of one's app, of those kept, or of those mailed. */
export function TurnOffDialog({ hasLostAccess, onClose }: Props) {
  const [step, setStep] = useState<'password' | 'code' | 'done'>('password');
  const refreshAccount = useRefreshAccount();
  const begin = async (password: string): Promise<void> => {
    await api(verifyPassword, { body: { password, onoff_status: false } });
    setStep('code');
  };
  if (step === 'password') {
    return (
      <PasswordDialog
        title={hasLostAccess ? 'Lost access to your app' : 'Turn off two-factor authentication'}
        text={
          hasLostAccess
            ? 'Turn two-factor off with a recovery code or a code mailed to your recovery e-mail. Then you can turn it on again with another app.'
            : 'The password alone will be enough to sign in. Passkeys and recovery codes will be removed.'
        }
        submitLabel="Next"
        pendingLabel="Checking"
        run={begin}
        onClose={onClose}
      />
    );
  }
  if (step === 'code') {
    return (
      <CodeStep
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
    <FormDialog title="Two-factor authentication is off" submitLabel="Done" onSubmit={onClose} onClose={onClose}>
      <Text>The password alone is enough to sign in now. Your passkeys and recovery codes were removed.</Text>
    </FormDialog>
  );
}

function turnOff(way: Way, code: string): Promise<unknown> {
  if (way === 'recovery_email') return api(verifyRecoveryOtp, { body: { otp: code, onoff_status: false } });
  const proof = way === 'app' ? { otp: code } : { recovery_code: code };
  return api(verifyOtp, { body: { ...proof, tfa_status: false } });
}

interface StepProps extends Props {
  onDone: () => void;
}

function CodeStep({ hasLostAccess, onDone, onClose }: StepProps) {
  const user = useCurrentUser();
  const [way, setWay] = useState<Way>(hasLostAccess ? 'recovery_code' : 'app');
  const [code, setCode] = useState('');
  const [problem, setProblem] = useState<string | undefined>();
  const [isMailed, setMailed] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);
  const handleError = (error: unknown): void => {
    setProblem(problemOfCode(error));
    setCode('');
    inputRef.current?.focus();
  };
  const proof = useMutation({
    mutationFn: (text: string) => turnOff(way, text),
    onSuccess: onDone,
    onError: handleError,
  });
  const mailing = useMutation({
    mutationFn: () => api(sendRecoveryOtp, { body: { onoff_status: false } }),
    onSuccess: () => setMailed(true),
    onError: (error) => setProblem(messageOf(error)),
  });
  const needsMail = way === 'recovery_email' && !isMailed;
  const isPending = proof.isPending || mailing.isPending;
  const submit = (text: string): void => {
    setProblem(undefined);
    if (isPending) return;
    if (needsMail) mailing.mutate();
    else if (way === 'recovery_code' ? text.trim() : isSixDigits(text)) proof.mutate(text.trim());
    else setProblem(way === 'recovery_code' ? 'Please enter a recovery code.' : NOT_SIX_DIGITS);
  };
  const choose = (next: Way): void => {
    setWay(next);
    setCode('');
    setProblem(undefined);
  };
  return (
    <FormDialog
      title={hasLostAccess ? 'Turn two-factor off without your app' : 'Enter the code of your app'}
      submitLabel={needsMail ? 'Send the code' : 'Turn off'}
      pendingLabel={needsMail ? 'Sending' : 'Checking'}
      isPending={isPending}
      problem={needsMail ? problem : undefined}
      cancelLabel="Cancel"
      onSubmit={() => submit(code)}
      onClose={onClose}
    >
      <WayChoice way={way} canMail={user?.recovery_email_confirmed ? user.recovery_email : null} onChoose={choose} />
      {!needsMail && (
        <Proof
          way={way}
          code={code}
          problem={problem}
          isReadOnly={isPending}
          inputRef={inputRef}
          onChange={(value) => {
            setCode(value);
            setProblem(undefined);
          }}
          onComplete={submit}
        />
      )}
    </FormDialog>
  );
}

interface WayProps {
  way: Way;
  /** The confirmed recovery address, if there is one. */
  canMail: string | null;
  onChoose: (way: Way) => void;
}

function WayChoice({ way, canMail, onChoose }: WayProps) {
  const styles = useStyles();
  return (
    <>
      <RadioGroup
        aria-label="How to prove that it is you"
        value={way}
        onChange={(_event, data) => onChoose(data.value as Way)}
      >
        <Radio value="app" label="A code of my app" />
        <Radio value="recovery_code" label="One of my recovery codes" />
        {canMail && <Radio value="recovery_email" label={`A code mailed to ${canMail}`} />}
      </RadioGroup>
      {!canMail && (
        <Text size={200} className={styles.quiet}>
          A code can be mailed only to a recovery e-mail that was confirmed. You have none; an administrator of your
          company can help.
        </Text>
      )}
    </>
  );
}

interface ProofProps {
  way: Way;
  code: string;
  problem: string | undefined;
  isReadOnly: boolean;
  inputRef: React.RefObject<HTMLInputElement | null>;
  onChange: (code: string) => void;
  onComplete: (code: string) => void;
}

function Proof({ way, code, problem, isReadOnly, inputRef, onChange, onComplete }: ProofProps) {
  if (way === 'recovery_code') {
    return (
      <Field label="Recovery code" required {...fieldProblem(problem)}>
        <Input
          input={{ ref: inputRef }}
          name="recovery_code"
          value={code}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          readOnly={isReadOnly}
          onChange={(_event, { value }) => onChange(value)}
        />
      </Field>
    );
  }
  return (
    <CodeField
      key={way}
      label="6-digit code"
      value={code}
      problem={problem}
      hint={way === 'recovery_email' ? 'It is in the mail that was just sent.' : undefined}
      isReadOnly={isReadOnly}
      inputRef={inputRef}
      onChange={onChange}
      onComplete={onComplete}
    />
  );
}
