import { useQuery } from '@tanstack/react-query';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { TextField } from '../../components/form/fields.tsx';
import { Form } from '../../components/form/Form.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { PasswordField } from '../../components/form/PasswordField.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { lazyExtra } from '../../components/lazy-extra.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import { sessionNotice } from '../../lib/session.ts';
import { signInWords } from '../../words/sign-in.ts';
import { AuthCard } from './AuthCard.tsx';
import { CaptchaField } from './CaptchaField.tsx';
import { stateOf } from './page-state.ts';
import { captchaQuery } from './queries.ts';
import { useSignIn } from './use-sign-in.ts';
import { validateSignIn } from './validate.ts';

const SessionLimitDialog = lazyExtra(() => import('./SessionLimitDialog.tsx'));
const TwoFactorDialog = lazyExtra(() => import('./TwoFactorDialog.tsx'));

/** /auth/sign-in: email, password and captcha, and the steps that may come after them. */
export default function SignInPage() {
  const t = useWords(signInWords);
  const { data: captcha } = useQuery(captchaQuery);
  const flow = useSignIn();
  const { isBusy, problem, waiting } = flow;
  const { email, notice: told } = stateOf(useLocation());
  const [ended] = useState(sessionNotice);
  const form = useForm({
    start: { email, password: '', captcha: '' },
    check: validateSignIn,
    submit: (values) =>
      flow.attempt(values, { captcha_text: values.captcha.trim(), captcha_token: captcha?.captcha_token ?? '' }),
    onFailed: () => ({ captcha: '' }),
  });
  const notice = told ? { text: told, intent: 'success' as const } : ended;
  useReturnToForm(waiting !== null, form.formRef);

  const beside = (
    <>
      {waiting?.kind === 'code' && (
        <TwoFactorDialog
          email={form.values.email}
          factors={waiting.factors}
          isPasswordByMail={waiting.isPasswordByMail}
          onProve={flow.prove}
          onCancel={() => void flow.cancel()}
        />
      )}
      {waiting?.kind === 'sessions' && (
        <SessionLimitDialog
          sessions={waiting.sessions}
          isBusy={isBusy}
          problem={problem}
          onEnd={(ids) => void flow.endAndRetry(ids)}
          onRetry={() => void flow.retry()}
          onCancel={() => void flow.cancel()}
        />
      )}
    </>
  );
  return (
    <AuthCard title={t.title} hint={t.hint} beside={beside}>
      {!form.failure && !waiting && (problem ? <FormMessage text={problem} /> : notice && <FormMessage {...notice} />)}
      <Form form={form} label={t.title}>
        <TextField form={form} name="email" label={t.email} type="email" autoComplete="username" isRequired />
        <PasswordField form={form} name="password" label={t.password} autoComplete="current-password" />
        <TextLink to="/auth/forgot-password" state={{ email: form.values.email }}>
          {t.forgot}
        </TextLink>
        <CaptchaField form={form} />
        <SubmitButton label={t.submit} busyLabel={t.busy} isBusy={form.isPending} size="large" />
      </Form>
    </AuthCard>
  );
}

/**
 * After a dialog was cancelled or gave up, the letters of the new picture are the next thing to
 * type.
 */
function useReturnToForm(isAway: boolean, formRef: RefObject<HTMLFormElement | null>): void {
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !isAway) {
      const field = formRef.current?.querySelector<HTMLInputElement>('[name="captcha"]');
      // After the dialog has let go of the focus
      setTimeout(() => field?.focus());
    }
    wasAway.current = isAway;
  }, [isAway, formRef]);
}
