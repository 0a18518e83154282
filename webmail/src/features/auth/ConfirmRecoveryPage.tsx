import { confirmRecoveryEmail } from '@selvage/core/contracts/account';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Form } from '../../components/form/Form.tsx';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { useForm } from '../../hooks/use-form.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { currentUserKey } from '../../lib/query-client.ts';
import { confirmRecoveryWords } from '../../words/confirm-recovery.ts';
import { AuthCard } from './AuthCard.tsx';
import { useLinkToken } from './use-link-token.ts';

/**
 * Where the link in the mail to a recovery address leads. It asks before it confirms: programs that
 * look for harmful links open them too, and none of them may agree in the person's place.
 */
export default function ConfirmRecoveryPage() {
  const t = useWords(confirmRecoveryWords);
  const token = useLinkToken();
  const [confirmed, setConfirmed] = useState<string | null>(null);
  if (confirmed !== null) {
    return (
      <AuthCard title={t.doneTitle}>
        <FormMessage text={t.done({ email: confirmed })} intent="success" />
        <TextLink to="/">{t.goOn}</TextLink>
      </AuthCard>
    );
  }
  if (!token) {
    return (
      <AuthCard title={t.overTitle}>
        <FormMessage text={t.incomplete} />
        <TextLink to="/">{t.goOn}</TextLink>
      </AuthCard>
    );
  }
  return <Question token={token} onConfirmed={setConfirmed} />;
}

function Question({ token, onConfirmed }: { token: string; onConfirmed: (email: string) => void }) {
  const t = useWords(confirmRecoveryWords);
  const client = useQueryClient();
  const form = useForm({
    start: {},
    submit: () => api(confirmRecoveryEmail, { body: { token } }),
    onDone: (answer) => {
      onConfirmed(answer.recovery_email);
      void client.invalidateQueries({ queryKey: currentUserKey });
    },
  });
  return (
    <AuthCard title={t.title} hint={t.hint}>
      <Form form={form} label={t.title}>
        <SubmitButton label={t.submit} busyLabel={t.busy} isBusy={form.isPending} size="large" />
      </Form>
    </AuthCard>
  );
}
