import { resendRecoveryLink, setRecoveryEmail } from '@selvage/core/contracts/account';
import { emailAddress } from '@selvage/core/contracts/fields';
import { Badge, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { notify } from '../../../components/feedback/notify.ts';
import { TextField } from '../../../components/form/fields.tsx';
import { FormMessage } from '../../../components/form/FormMessage.tsx';
import { SubmitButton } from '../../../components/form/SubmitButton.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { useFollowSaved } from '../../../hooks/use-follow-saved.ts';
import { type Form, useForm } from '../../../hooks/use-form.ts';
import { api } from '../../../lib/api.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { currentUserQuery, useCurrentUser } from '../../../lib/current-user.ts';
import { useWords, wordsOf } from '../../../lib/i18n.ts';
import type { Problems } from '../../../lib/problems.ts';
import { useUnsavedWork } from '../../../lib/unsaved-work.ts';
import { onPhone } from '../../../theme/breakpoints.ts';
import { securityWords } from '../../../words/security.ts';
import { PasswordDialog, usePasswordForm } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { WaitingForLink } from '../WaitingForLink.tsx';
import { AnyCodeField, checkCode, codeFieldNames, proofOf } from './AnyCodeField.tsx';

const useStyles = makeStyles({
  form: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'flex-start' },
  field: { flex: '1 1 260px', maxWidth: '420px' },
  // Beside the field, not beside its label; on a line of its own where there is no room
  save: { marginTop: '26px', [onPhone]: { marginTop: 0 } },
});

type Address = { recovery_email: string };

/** The address that the person is helped at when they can't get in any more. */
export function RecoveryEmailSection() {
  const t = useWords(securityWords);
  // It is confirmed in another window: a person who comes back to this one sees it at once
  const { data: user } = useQuery({ ...currentUserQuery, refetchOnWindowFocus: 'always' });
  if (!user) return null;
  const { recovery_email: saved, recovery_email_confirmed: isConfirmed, recovery_email_in_force: inForce } = user;
  const isLapsed = user.recovery_email_lapsed;
  return (
    <Section
      id="recovery-email"
      title={t.recovery}
      hint={t.recoveryHint}
      action={
        saved &&
        isConfirmed && (
          <Badge appearance="tint" color="success">
            {t.recoveryConfirmed}
          </Badge>
        )
      }
    >
      <AddressForm saved={saved ?? ''} />
      {saved && isLapsed && <FormMessage intent="warning" text={t.recoveryLapsed({ email: saved })} />}
      {saved && !isConfirmed && !isLapsed && (
        <WaitingForLink
          text={t.recoveryWaiting({ email: saved })}
          said={t.recoveryMailed({ email: saved })}
          resend={() => api(resendRecoveryLink, {})}
        />
      )}
      {inForce && !isConfirmed && <span>{t.recoveryInForce({ email: inForce })}</span>}
    </Section>
  );
}

function checkAddress({ recovery_email: typed }: Address): Problems {
  const address = typed.trim();
  if (address === '' || emailAddress.safeParse(address).success) return {};
  return { recovery_email: wordsOf(securityWords).recoveryInvalid };
}

/** The address is checked here and sent by the dialog that asks for the password. */
function AddressForm({ saved }: { saved: string }) {
  const styles = useStyles();
  const t = useWords(securityWords);
  const [asked, setAsked] = useState<string | null>(null);
  const form = useForm({
    start: { recovery_email: saved },
    check: checkAddress,
    submit: ({ recovery_email: typed }) => Promise.resolve(typed.trim()),
    onDone: setAsked,
  });
  const isUnchanged = form.values.recovery_email.trim().toLowerCase() === saved.toLowerCase();
  // Not the form's own unsaved work: the form counts as sent once the password is asked for, and
  // the person may still cancel then
  useUnsavedWork(!isUnchanged, { name: t.recoveryUnsaved, survivesNavigation: false });
  useFollowSaved(form, saved, (address) => form.reset({ recovery_email: address }));
  return (
    <>
      <form ref={form.formRef} className={styles.form} noValidate aria-label={t.recovery} onSubmit={form.handleSubmit}>
        <TextField
          form={form}
          name="recovery_email"
          label={t.recovery}
          type="email"
          autoComplete="email"
          className={styles.field}
        />
        <div className={styles.save}>
          <SubmitButton label={t.recoverySave} busyLabel={t.recoverySaving} isBusy={false} isDisabled={isUnchanged} />
        </div>
      </form>
      {asked !== null && <AskPassword address={asked} form={form} onClose={() => setAsked(null)} />}
    </>
  );
}

interface AskProps {
  address: string;
  form: Form<Address>;
  onClose: () => void;
}

function AskPassword({ address, form, onClose }: AskProps) {
  const t = useWords(securityWords);
  const refreshAccount = useRefreshAccount();
  const asksForCode = useCurrentUser()?.twoFactorStatus ?? false;
  const ask = usePasswordForm({
    start: { code: '' },
    check: ({ code }) => (asksForCode ? checkCode(code) : {}),
    submit: (password, { code }) => {
      const proof = asksForCode ? proofOf(code) : {};
      return api(setRecoveryEmail, { body: { recovery_email: address, password, ...proof } });
    },
    fieldNames: codeFieldNames,
    onDone: async ({ recovery_email: saved, recovery_email_confirmed: isConfirmed }) => {
      notify.success(wordsAfter(saved, isConfirmed));
      form.reset({ recovery_email: saved ?? '' });
      await refreshAccount();
      onClose();
    },
    onFailed: (error) => {
      if (!(error instanceof ApiError) || !error.fields['recovery_email']) return undefined;
      onClose();
      form.showProblems(error.fields);
      return undefined;
    },
  });
  return (
    <PasswordDialog
      form={ask}
      title={address ? t.recoveryChange : t.recoveryRemove}
      text={address ? t.recoveryChangeText({ email: address }) : t.recoveryRemoveText}
      submitLabel={t.recoverySave}
      busyLabel={t.recoverySaving}
      onClose={onClose}
    >
      {asksForCode && <AnyCodeField form={ask} isFirst />}
    </PasswordDialog>
  );
}

function wordsAfter(address: string | null, isConfirmed: boolean): string {
  const t = wordsOf(securityWords);
  if (!address) return t.recoveryRemoved;
  return isConfirmed ? t.recoverySaved : t.recoveryMailed({ email: address });
}
