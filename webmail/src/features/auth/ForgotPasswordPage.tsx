import { passwordRequest } from '@selvage/core/contracts/account';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useLocation } from 'react-router-dom';
import { TextField } from '../../components/form/fields.tsx';
import { Form } from '../../components/form/Form.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { useWords } from '../../lib/i18n.ts';
import type { Problems } from '../../lib/problems.ts';
import { forgotPasswordWords } from '../../words/forgot-password.ts';
import { AuthCard } from './AuthCard.tsx';
import { CaptchaField } from './CaptchaField.tsx';
import { stateOf } from './page-state.ts';
import { captchaQuery, requestPasswordLink } from './queries.ts';

/**
 * Asks for a link to set a new password. It says the same whether or not there is such an account.
 */
export default function ForgotPasswordPage() {
  const t = useWords(forgotPasswordWords);
  const client = useQueryClient();
  const { data: captcha } = useQuery(captchaQuery);
  const [answer, setAnswer] = useState<string | null>(null);
  const form = useForm({
    start: { email: stateOf(useLocation()).email, captcha: '' },
    schema: passwordRequest,
    toBody: ({ email }) => ({ email }),
    check: ({ captcha: letters }): Problems => (letters.trim() ? {} : { captcha: t.captchaRequired }),
    submit: ({ email, captcha: letters }) =>
      requestPasswordLink(email, { captcha_text: letters.trim(), captcha_token: captcha?.captcha_token ?? '' }),
    onDone: setAnswer,
    onFailed: () => {
      void client.refetchQueries({ queryKey: captchaQuery.queryKey });
      return { captcha: '' };
    },
    fieldNames: { captcha_text: 'captcha' },
  });
  const back = (
    <TextLink to="/auth/sign-in" state={{ email: form.values.email }}>
      {t.back}
    </TextLink>
  );
  if (answer !== null) {
    return (
      <AuthCard title={t.sentTitle}>
        <FormMessage text={answer} intent="success" />
        {back}
      </AuthCard>
    );
  }
  return (
    <AuthCard title={t.title} hint={t.hint}>
      <Form form={form} label={t.title}>
        <TextField form={form} name="email" label={t.email} type="email" autoComplete="username" isRequired />
        <CaptchaField form={form} />
        <SubmitButton label={t.submit} busyLabel={t.busy} isBusy={form.isPending} size="large" />
        {back}
      </Form>
    </AuthCard>
  );
}
