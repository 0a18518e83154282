import { Button } from '@fluentui/react-components';
import { type ReactNode, useState } from 'react';
import { notify } from '../../components/feedback/notify.ts';
import { CodeField } from '../../components/form/CodeField.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { RecoveryCodeField } from '../../components/form/RecoveryCodeField.tsx';
import { useCodeForm, useRecoveryCodeForm } from '../../hooks/use-code-form.ts';
import { type FormFrame, useForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { secondFactorWords } from '../../words/second-factor.ts';
import { askForPasskey, mailRecoveryCode, proveByApp, proveByMail, proveByRecoveryCode, type Step } from './queries.ts';

export interface FactorProps {
  email: string;
  /** Sends the proof. @throws {ApiError} when it can be given anew */
  onProve: (step: Step) => Promise<void>;
}

/** One way to prove who is logging in: what it asks for, and the form that it sends. */
interface Factor {
  /** What choosing it is called. */
  label: string;
  form: FormFrame;
  /** Another value asks for something else. */
  step: string;
  submitLabel: string;
  busyLabel: string;
  content: ReactNode;
}

/** A code of the person's app. */
export function useAppFactor({ email, onProve }: FactorProps): Factor {
  const t = useWords(secondFactorWords);
  const form = useCodeForm({ submit: (otp) => onProve(() => proveByApp(email, otp)) });
  return {
    label: t.useApp,
    form,
    step: 'app',
    submitLabel: t.verify,
    busyLabel: t.verifying,
    content: (
      <>
        <span>{t.appText}</span>
        <CodeField form={form} name="otp" label={t.code} onComplete={(otp) => void form.send({ otp })} />
      </>
    ),
  };
}

/** A passkey: the browser asks for it. */
export function usePasskeyFactor({ onProve }: FactorProps): Factor {
  const t = useWords(secondFactorWords);
  const form = useForm({ start: {}, submit: async () => onProve(await askForPasskey(t.passkeyFailed)) });
  return {
    label: t.usePasskey,
    form,
    step: 'passkey',
    submitLabel: t.passkeySubmit,
    busyLabel: t.passkeyBusy,
    content: <span>{t.passkeyText}</span>,
  };
}

/** One of the codes that the person kept. */
export function useRecoveryCodeFactor({ email, onProve }: FactorProps): Factor {
  const t = useWords(secondFactorWords);
  const form = useRecoveryCodeForm({
    submit: (code) => onProve(saying(t.recoveryCodeUsed, () => proveByRecoveryCode(email, code))),
  });
  return {
    label: t.useRecoveryCode,
    form,
    step: 'recovery code',
    submitLabel: t.verify,
    busyLabel: t.verifying,
    content: (
      <>
        <span>{t.recoveryCodeText}</span>
        <RecoveryCodeField form={form} />
      </>
    ),
  };
}

/** A code mailed to the recovery address: first it is sent, then it is typed. */
export function useMailFactor({ onProve }: FactorProps): Factor {
  const t = useWords(secondFactorWords);
  const [isSent, setSent] = useState(false);
  const sending = useForm({ start: {}, submit: () => mailCode(onProve), onDone: setSent });
  const form = useCodeForm({ submit: (otp) => onProve(saying(t.mailUsed, () => proveByMail(otp))) });
  if (!isSent) {
    return {
      label: t.useMail,
      form: sending,
      step: 'mail',
      submitLabel: t.mailSubmit,
      busyLabel: t.mailBusy,
      content: <span>{t.mailText}</span>,
    };
  }
  return {
    label: t.useMail,
    form,
    step: 'mailed code',
    submitLabel: t.verify,
    busyLabel: t.verifying,
    content: (
      <>
        <span>{t.mailSent}</span>
        <CodeField form={form} name="otp" label={t.code} onComplete={(otp) => void form.send({ otp })} />
        <FormMessage text={sending.failure} />
        <div>
          <Button size="small" disabledFocusable={sending.isPending} onClick={() => void sending.send()}>
            {sending.isPending ? t.mailBusy : t.mailAgain}
          </Button>
        </div>
      </>
    ),
  };
}

/**
 * Mails a code. When the server refuses, the login hears of it as of a proof, since it may be over.
 */
async function mailCode(onProve: FactorProps['onProve']): Promise<boolean> {
  let isSent = true;
  await mailRecoveryCode().catch(async (error: unknown) => {
    isSent = false;
    await onProve(() => Promise.reject(error));
  });
  return isSent;
}

/** The same step, with a notice once the server has taken the proof. */
function saying(notice: string, step: Step): Step {
  return async () => {
    const answer = await step();
    notify.info(notice);
    return answer;
  };
}
