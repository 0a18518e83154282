import { checkPasswordLink, passwordByLink, setPassword } from '@selvage/core/contracts/account';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import { Button } from '@fluentui/react-components';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { notify } from '../../components/feedback/notify.ts';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { api, apiMessage } from '../../lib/api.ts';
import { ApiError, messageOf } from '../../lib/api-error.ts';
import { currentUserQuery } from '../../lib/current-user.ts';
import { focusFirstProblem, type Problems, problemsOf } from '../../lib/problems.ts';
import { readTokens } from '../../lib/session.ts';
import { AuthCard } from './AuthCard.tsx';
import { type NewPassword, NewPasswordFields } from './NewPasswordFields.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { useLinkToken } from './use-link-token.ts';

/** Where a mailed link to set a password leads. */
export function SetPasswordPage() {
  const token = useLinkToken();
  const { data, error, refetch } = useQuery({
    queryKey: ['password-link', token],
    queryFn: () => api(checkPasswordLink, { body: { token } }),
    enabled: token !== '',
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (data) return <SetPasswordForm key={token} token={token} email={data.email} />;
  if (token && !error) return <PageSpinner />;
  const isOver = !error || (error instanceof ApiError && error.status === 400);
  return (
    <AuthCard title={isOver ? 'This link cannot be used' : 'The link could not be checked'}>
      <FormMessage
        text={error ? messageOf(error) : 'The address is not complete. Open the link as it stands in the mail.'}
      />
      {isOver ? (
        <TextLink to="/auth/forgot-password">Ask for a new link</TextLink>
      ) : (
        <Button appearance="primary" onClick={() => void refetch()}>
          Retry
        </Button>
      )}
    </AuthCard>
  );
}

function SetPasswordForm({ token, email }: { token: string; email: string }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [values, setValues] = useState<NewPassword>({ new_password: '', confirm_password: '' });
  const [problems, setProblems] = useState<Problems>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [isBusy, setBusy] = useState(false);
  const formRef = useRef<HTMLFormElement>(null);
  const body = {
    token,
    new_password: encodePassword(values.new_password),
    confirm_password: encodePassword(values.confirm_password),
  };

  const save = async (): Promise<void> => {
    setBusy(true);
    setFailure(null);
    try {
      const notice = await apiMessage(setPassword, { body });
      // if this browser is signed in with that account, its session ended as well, and this finds out
      if (readTokens()) await client.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch(() => undefined);
      if (readTokens()) notify.success(notice);
      await navigate('/auth/sign-in', { replace: true, state: { notice, email } });
    } catch (error) {
      const fields = error instanceof ApiError ? error.fields : {};
      setProblems(fields);
      if (Object.keys(fields).length === 0) setFailure(messageOf(error));
      setBusy(false);
    }
  };
  const handleSubmit = (): void => {
    if (isBusy) return;
    const found = problemsOf(passwordByLink, body);
    setProblems(found);
    if (Object.keys(found).length > 0) focusFirstProblem(formRef.current, found);
    else void save();
  };

  return (
    <AuthCard title="Set your password" hint={`For ${email}`} formRef={formRef} onSubmit={handleSubmit}>
      <FormMessage text={failure} />
      {/* so that password managers know whose it is */}
      <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
      <NewPasswordFields
        values={values}
        problems={problems}
        onChange={(name, value) => {
          setValues((old) => ({ ...old, [name]: value }));
          setProblems(({ [name]: _gone, ...rest }) => rest);
        }}
      />
      <SubmitButton label="Set password" busyLabel="Saving" isBusy={isBusy} size="large" />
    </AuthCard>
  );
}
