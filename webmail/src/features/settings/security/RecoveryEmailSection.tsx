import { resendRecoveryLink, setRecoveryEmail } from '@selvage/core/contracts/account';
import { emailAddress } from '@selvage/core/contracts/fields';
import {
  Badge,
  Button,
  Field,
  Input,
  makeStyles,
  MessageBar,
  MessageBarActions,
  MessageBarBody,
  tokens,
} from '@fluentui/react-components';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { fieldProblem } from '../../../components/form/field-problem.ts';
import { notify } from '../../../components/feedback/notify.ts';
import { api } from '../../../lib/api.ts';
import { currentUserQuery } from '../../../lib/current-user.ts';
import { PasswordDialog } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { Section } from '../../../components/page/Section.tsx';

const useStyles = makeStyles({
  form: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalM, alignItems: 'flex-start' },
  field: { flex: '1 1 260px', maxWidth: '420px' },
  // beside the field, not beside its label; on a line of its own where there is no room
  save: { marginTop: '26px', '@media (max-width: 479px)': { marginTop: 0 } },
});

const INVALID = 'Please enter a valid email address.';

/** The address that the person is helped at when they can't get in any more. */
export function RecoveryEmailSection() {
  const styles = useStyles();
  // it is confirmed in another window: coming back to this one, one wants to see it
  const { data: user } = useQuery({ ...currentUserQuery, refetchOnWindowFocus: 'always' });
  const refreshAccount = useRefreshAccount();
  const saved = user?.recovery_email ?? '';
  const [typed, setTyped] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | undefined>();
  const [isAsking, setAsking] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);
  const value = typed ?? saved;
  const address = value.trim();
  const isUnchanged = address.toLowerCase() === saved.toLowerCase();
  const handleSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isUnchanged) return;
    const isValid = address === '' || emailAddress.safeParse(address).success;
    setProblem(isValid ? undefined : INVALID);
    if (isValid) setAsking(true);
    else inputRef.current?.focus();
  };
  const save = async (password: string): Promise<void> => {
    const answer = await api(setRecoveryEmail, { body: { recovery_email: address, password } });
    await refreshAccount();
    setAsking(false);
    setTyped(null);
    notify.success(wordsAfter(answer.recovery_email, answer.recovery_email_confirmed));
  };
  return (
    <Section
      title="Recovery e-mail"
      hint="An address outside this mailbox. We help you there when you lose your password or your second factor."
      action={
        saved &&
        user?.recovery_email_confirmed && (
          <Badge appearance="tint" color="success">
            Confirmed
          </Badge>
        )
      }
    >
      <form className={styles.form} onSubmit={handleSubmit} noValidate>
        <Field label="Recovery e-mail" className={styles.field} {...fieldProblem(problem)}>
          <Input
            input={{ ref: inputRef }}
            type="email"
            name="recovery_email"
            autoComplete="email"
            value={value}
            onChange={(_event, data) => {
              setTyped(data.value);
              setProblem(undefined);
            }}
          />
        </Field>
        <Button type="submit" appearance="primary" className={styles.save} disabledFocusable={isUnchanged}>
          Save
        </Button>
      </form>
      {saved && user && !user.recovery_email_confirmed && <Waiting address={saved} />}
      {isAsking && (
        <PasswordDialog
          title={address ? 'Change the recovery e-mail' : 'Remove the recovery e-mail'}
          text={
            address
              ? `We mail a link to ${address}. The address is used once the link was opened.`
              : 'Without a recovery e-mail, only an administrator can help you back in.'
          }
          submitLabel="Save"
          pendingLabel="Saving"
          run={save}
          showProblems={(fields) => {
            const found = fields['recovery_email'];
            setProblem(found);
            if (found) setAsking(false);
            return found !== undefined;
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

function wordsAfter(address: string | null, isConfirmed: boolean): string {
  if (!address) return 'Recovery e-mail removed';
  return isConfirmed ? 'Recovery e-mail saved' : `A link is on its way to ${address}`;
}

/** The address is not used before its owner has said yes. */
function Waiting({ address }: { address: string }) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => api(resendRecoveryLink, {}),
    onSuccess: () => notify.success(`A link is on its way to ${address}`),
    onError: notify.error,
  });
  return (
    <MessageBar intent="warning" layout="multiline">
      <MessageBarBody>
        Waiting for confirmation: open the link that was mailed to {address}. It is good for 24 hours.
      </MessageBarBody>
      <MessageBarActions>
        <Button disabledFocusable={isPending} onClick={() => !isPending && mutate()}>
          {isPending ? 'Sending' : 'Send the link again'}
        </Button>
      </MessageBarActions>
    </MessageBar>
  );
}
