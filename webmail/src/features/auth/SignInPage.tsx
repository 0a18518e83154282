import { Field, Input } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { lazy, type RefObject, Suspense, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { fieldProblem } from '../../components/form/field-problem.ts';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { PasswordField } from '../../components/form/PasswordField.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { focusFirstProblem } from '../../lib/problems.ts';
import { sessionNotice } from '../../lib/session.ts';
import { AuthCard } from './AuthCard.tsx';
import { CaptchaField } from './CaptchaField.tsx';
import { stateOf } from './page-state.ts';
import { captchaQuery } from './queries.ts';
import { TextLink } from '../../components/TextLink.tsx';
import { useSignIn } from './use-sign-in.ts';
import { type SignInForm, type SignInProblems, validateSignIn } from './validate.ts';

const SessionLimitDialog = lazy(() => import('./SessionLimitDialog.tsx'));
const TwoFactorDialog = lazy(() => import('./TwoFactorDialog.tsx'));

export function SignInPage() {
  const { data: captcha } = useQuery(captchaQuery);
  const flow = useSignIn();
  const { isBusy, problem, waiting } = flow;
  const { email, notice: told } = stateOf(useLocation());
  const [form, setForm] = useState<SignInForm>({ email, password: '', captcha: '' });
  const [problems, setProblems] = useState<SignInProblems>({});
  const formRef = useRef<HTMLFormElement>(null);
  const [ended] = useState(sessionNotice);
  const notice = told ? { text: told, intent: 'success' as const } : ended;

  // the letters belong to one picture: a new one makes them worthless
  useEffect(() => setForm((old) => ({ ...old, captcha: '' })), [captcha?.captcha_token]);
  useReturnToForm(waiting !== null, formRef);

  const set = (name: keyof SignInForm) => (value: string) => {
    setForm((old) => ({ ...old, [name]: value }));
    setProblems((old) => ({ ...old, [name]: undefined }));
  };

  const handleSubmit = (): void => {
    if (isBusy) return;
    const found = validateSignIn(form);
    setProblems(found);
    if (Object.keys(found).length > 0) return focusFirstProblem(formRef.current, found);
    void flow.attempt(form, { captcha_text: form.captcha.trim(), captcha_token: captcha?.captcha_token ?? '' });
  };

  const dialog = { isBusy, problem, onCancel: () => void flow.cancel() };
  return (
    <AuthCard
      title="Sign in"
      hint="Mail and administration of your company"
      formRef={formRef}
      onSubmit={handleSubmit}
      beside={
        <Suspense fallback={null}>
          {waiting?.kind === 'code' && (
            <TwoFactorDialog
              {...dialog}
              email={form.email}
              factors={waiting.factors}
              onProve={flow.prove}
              onForgetProblem={flow.forgetProblem}
            />
          )}
          {waiting?.kind === 'sessions' && (
            <SessionLimitDialog
              {...dialog}
              sessions={waiting.sessions}
              onEnd={(ids) => void flow.endAndRetry(ids)}
              onRetry={() => void flow.retry()}
            />
          )}
        </Suspense>
      }
    >
      {problem && !waiting && <FormMessage text={problem} />}
      {!problem && notice && <FormMessage {...notice} />}
      <Field label="Email" required {...fieldProblem(problems.email)}>
        <Input
          name="email"
          type="email"
          autoComplete="username"
          value={form.email}
          onChange={(_event, data) => set('email')(data.value)}
        />
      </Field>
      <PasswordField
        label="Password"
        name="password"
        autoComplete="current-password"
        value={form.password}
        problem={problems.password}
        onChange={set('password')}
      />
      <TextLink to="/auth/forgot-password" state={{ email: form.email }}>
        Forgot password?
      </TextLink>
      <CaptchaField value={form.captcha} problem={problems.captcha} onChange={set('captcha')} />
      <SubmitButton label="Log in" busyLabel="Logging In" isBusy={isBusy} size="large" />
    </AuthCard>
  );
}

/** After a dialog was cancelled or gave up, the letters of the new picture are the next thing to type. */
function useReturnToForm(isAway: boolean, formRef: RefObject<HTMLFormElement | null>): void {
  const wasAway = useRef(false);
  useEffect(() => {
    if (wasAway.current && !isAway) {
      const field = formRef.current?.querySelector<HTMLInputElement>('[name="captcha"]');
      // after the dialog has let go of the focus
      setTimeout(() => field?.focus());
    }
    wasAway.current = isAway;
  }, [isAway, formRef]);
}
