import { passwordRequest } from '@selvage/core/contracts/account';
import { Field, Input } from '@fluentui/react-components';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { fieldProblem } from '../../components/form/field-problem.ts';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { ApiError, messageOf } from '../../lib/api-error.ts';
import { focusFirstProblem, type Problems, problemsOf } from '../../lib/problems.ts';
import { AuthCard } from './AuthCard.tsx';
import { CaptchaField } from './CaptchaField.tsx';
import { stateOf } from './page-state.ts';
import { captchaQuery, requestPasswordLink } from './queries.ts';
import { TextLink } from '../../components/TextLink.tsx';

const hint = 'We mail a link to the recovery address of your account. It is good once, for 24 hours.';

/** Asks for a link to set a new password. It says the same whether there is such an account. */
export function ForgotPasswordPage() {
  const client = useQueryClient();
  const { data: captcha } = useQuery(captchaQuery);
  const [email, setEmail] = useState(stateOf(useLocation()).email);
  const [letters, setLetters] = useState('');
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [answer, setAnswer] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);

  useEffect(() => setLetters(''), [captcha?.captcha_token]);

  const send = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const given = { captcha_text: letters.trim(), captcha_token: captcha?.captcha_token ?? '' };
      setAnswer(await requestPasswordLink(email, given));
    } catch (error) {
      setFailure(messageOf(error));
      if (error instanceof ApiError) setProblems(problemsOfCall(error));
      await client.refetchQueries({ queryKey: captchaQuery.queryKey });
    } finally {
      setBusy(false);
    }
  };
  const handleSubmit = (): void => {
    if (isBusy) return;
    const found = problemsOf(passwordRequest, { email });
    if (!letters.trim()) found['captcha'] = 'CAPTCHA is required';
    setProblems(found);
    if (Object.keys(found).length > 0) focusFirstProblem(formRef.current, found);
    else void send();
  };

  if (answer !== null) {
    return (
      <AuthCard title="Look into your mail">
        <FormMessage text={answer} intent="success" />
        <TextLink to="/auth/sign-in" state={{ email }}>
          Back to sign-in
        </TextLink>
      </AuthCard>
    );
  }
  return (
    <AuthCard title="Forgot your password?" hint={hint} formRef={formRef} onSubmit={handleSubmit}>
      <FormMessage text={failure} />
      <Field label="Email" required {...fieldProblem(problems['email'])}>
        <Input
          name="email"
          type="email"
          autoComplete="username"
          value={email}
          onChange={(_event, data) => {
            setEmail(data.value);
            setProblems(({ email: _gone, ...rest }) => rest);
          }}
        />
      </Field>
      <CaptchaField
        value={letters}
        problem={problems['captcha']}
        onChange={(text) => {
          setLetters(text);
          setProblems(({ captcha: _gone, ...rest }) => rest);
        }}
      />
      <SubmitButton label="Send link" busyLabel="Sending" isBusy={isBusy} size="large" />
      <TextLink to="/auth/sign-in" state={{ email }}>
        Back to sign-in
      </TextLink>
    </AuthCard>
  );
}

/** The call names the captcha otherwise than the form does. */
function problemsOfCall({ fields: { captcha_text: captcha, ...fields } }: ApiError): Problems {
  return captcha ? { ...fields, captcha } : fields;
}
