import { confirmRecoveryEmail } from '@selvage/core/contracts/account';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FormMessage } from '../../components/form/FormMessage.tsx';
import { SubmitButton } from '../../components/form/SubmitButton.tsx';
import { api } from '../../lib/api.ts';
import { messageOf } from '../../lib/api-error.ts';
import { currentUserKey } from '../../lib/query-client.ts';
import { AuthCard } from './AuthCard.tsx';
import { TextLink } from '../../components/TextLink.tsx';
import { useLinkToken } from './use-link-token.ts';

/**
 * Where the link in the mail to a recovery address leads. It asks before it confirms: programs that look for harmful links open them too, and
 * none of them may agree in somebody's place.
 */
export function ConfirmRecoveryPage() {
  const client = useQueryClient();
  const token = useLinkToken();
  const confirm = useMutation({
    mutationFn: () => api(confirmRecoveryEmail, { body: { token } }),
    onSuccess: () => client.invalidateQueries({ queryKey: currentUserKey }),
  });
  if (confirm.data) {
    return (
      <AuthCard title="Recovery address confirmed">
        <FormMessage
          text={`${confirm.data.recovery_email} can be used from now on to get back into the account.`}
          intent="success"
        />
        <TextLink to="/">Continue</TextLink>
      </AuthCard>
    );
  }
  if (!token) {
    return (
      <AuthCard title="This link cannot be used">
        <FormMessage text="The address is not complete. Open the link as it stands in the mail." />
        <TextLink to="/">Continue</TextLink>
      </AuthCard>
    );
  }
  return (
    <AuthCard
      title="Confirm your recovery address"
      hint="Confirm that this mailbox may be used to get back into the account that the mail names."
      onSubmit={() => !confirm.isPending && confirm.mutate()}
    >
      <FormMessage text={confirm.error ? messageOf(confirm.error) : null} />
      <SubmitButton label="Confirm address" busyLabel="Confirming" isBusy={confirm.isPending} size="large" />
    </AuthCard>
  );
}
