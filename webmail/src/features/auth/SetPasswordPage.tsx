import { checkPasswordLink, passwordByLink, setPassword } from '@selvage/core/contracts/account';
import { encodePassword } from '@selvage/core/contracts/encode-password';
import { Button } from '@fluentui/react-components';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { notify } from '../../components/feedback/notify.ts';
import { PageSpinner } from '../../components/feedback/PageSpinner.tsx';
import { Form } from '../../components/form/Form.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { api, apiMessage } from '../../lib/api.ts';
import { ApiError, messageOf } from '../../lib/api-error.ts';
import { currentUserQuery } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { readTokens } from '../../lib/session.ts';
import { setPasswordWords } from '../../words/set-password.ts';
import { AuthCard } from './AuthCard.tsx';
import { NewPasswordFields } from '../../components/password/NewPasswordFields.tsx';
import { useLinkOnce } from './use-link-once.ts';
import { useLinkToken } from './use-link-token.ts';

/** Where a mailed link to set a password leads. */
export default function SetPasswordPage() {
  const t = useWords(setPasswordWords);
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
    <AuthCard title={isOver ? t.overTitle : t.uncheckedTitle} hint={isOver && error ? t.overHint : ''}>
      <FormMessage text={error ? messageOf(error) : t.incomplete} />
      {isOver ? (
        <TextLink to="/auth/forgot-password">{t.askAgain}</TextLink>
      ) : (
        <Button appearance="primary" onClick={() => void refetch()}>
          {t.retry}
        </Button>
      )}
    </AuthCard>
  );
}

function SetPasswordForm({ token, email }: { token: string; email: string }) {
  const t = useWords(setPasswordWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const start = { new_password: '', confirm_password: '' };
  const toBody = (values: typeof start) => ({
    token,
    new_password: encodePassword(values.new_password),
    confirm_password: encodePassword(values.confirm_password),
  });
  const submit = useLinkOnce((values: typeof start) => apiMessage(setPassword, { body: toBody(values) }), t.usedBefore);
  const form = useForm({
    start,
    schema: passwordByLink,
    toBody,
    submit: (values) => submit(values),
    onDone: async (notice) => {
      // If this browser is logged in to that account, its session has ended as well. This call
      // finds out
      if (readTokens()) await client.fetchQuery({ ...currentUserQuery, staleTime: 0 }).catch(() => undefined);
      if (readTokens()) notify.success(notice);
      await navigate('/auth/sign-in', { replace: true, state: { notice, email } });
    },
  });
  return (
    <AuthCard title={t.title} hint={t.for({ email })}>
      <Form form={form} label={t.title}>
        {/* so that password managers know whose it is */}
        <input type="email" name="username" autoComplete="username" value={email} readOnly hidden />
        <NewPasswordFields form={form} />
        <SubmitButton label={t.submit} busyLabel={t.busy} isBusy={form.isPending} size="large" />
      </Form>
    </AuthCard>
  );
}
