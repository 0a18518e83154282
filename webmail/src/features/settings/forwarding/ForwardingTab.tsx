import {
  forwardingForm,
  resendForwardingLink,
  setForwarding,
  setForwardingScope,
  stopForwarding,
} from '@selvage/core/contracts/forwarding';
import { Badge, Button } from '@fluentui/react-components';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { notify } from '../../../components/feedback/notify.ts';
import { AlignedSwitch } from '../../../components/form/choice-fields.tsx';
import { TextField } from '../../../components/form/fields.tsx';
import { Section } from '../../../components/page/Section.tsx';
import { api } from '../../../lib/api.ts';
import { can } from '../../../lib/can.ts';
import { currentUserQuery } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { problemsOf } from '../../../lib/problems.ts';
import { forwardingWords } from '../../../words/forwarding.ts';
import { PasswordDialog, usePasswordForm } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { WaitingForLink } from '../WaitingForLink.tsx';

/** Where copies of the person's own mail go. */
export function ForwardingTab() {
  const t = useWords(forwardingWords);
  // Its owner agrees in another window: a person who comes back to this one sees it at once
  const { data: user } = useQuery({ ...currentUserQuery, refetchOnWindowFocus: 'always' });
  const [isAsking, setAsking] = useState(false);
  if (!user) return null;
  const { forward_to: address, forward_confirmed: isConfirmed } = user;
  const start = can(user, setForwarding) && <Button onClick={() => setAsking(true)}>{t.start}</Button>;
  const stop = can(user, stopForwarding) && <StopButton />;
  return (
    <Section title={t.title} hint={t.hint} action={address === null ? start : stop}>
      {address === null && <span>{t.none}</span>}
      {address !== null && isConfirmed && (
        <span>
          <Badge appearance="tint" color="success">
            {t.on}
          </Badge>{' '}
          {t.goesTo({ email: address })}
        </span>
      )}
      {address !== null && isConfirmed && (
        <ScopeSwitch isFiltered={user.forward_filtered} mayChange={can(user, setForwardingScope)} />
      )}
      {address !== null && !isConfirmed && (
        <WaitingForLink
          text={t.waiting({ email: address })}
          said={t.mailed({ email: address })}
          resend={can(user, resendForwardingLink) ? () => api(resendForwardingLink, {}) : undefined}
        />
      )}
      {isAsking && <StartDialog onClose={() => setAsking(false)} />}
    </Section>
  );
}

/** Whether all mail is forwarded, or only what a filter names. */
function ScopeSwitch({ isFiltered, mayChange }: { isFiltered: boolean; mayChange: boolean }) {
  const t = useWords(forwardingWords);
  const refreshAccount = useRefreshAccount();
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (forward_filtered: boolean) => api(setForwardingScope, { body: { forward_filtered } }),
    onSuccess: refreshAccount,
    onError: notify.error,
  });
  return (
    <AlignedSwitch
      label={t.onlyFiltered}
      checked={isPending ? variables : isFiltered}
      disabled={!mayChange}
      onChange={(_event, { checked }) => !isPending && mutate(checked)}
    />
  );
}

function StopButton() {
  const t = useWords(forwardingWords);
  const refreshAccount = useRefreshAccount();
  const { mutate, isPending } = useMutation({
    mutationFn: () => api(stopForwarding, {}),
    onSuccess: async () => {
      await refreshAccount();
      notify.success(t.stopped);
    },
    onError: notify.error,
  });
  return (
    <Button disabledFocusable={isPending} onClick={() => !isPending && mutate()}>
      {t.stop}
    </Button>
  );
}

function StartDialog({ onClose }: { onClose: () => void }) {
  const t = useWords(forwardingWords);
  const refreshAccount = useRefreshAccount();
  const form = usePasswordForm({
    start: { forward_to: '' },
    check: (values) => problemsOf(forwardingForm, values),
    submit: (password, { forward_to: typed }) => api(setForwarding, { body: { forward_to: typed.trim(), password } }),
    onDone: async ({ forward_to: address }) => {
      await refreshAccount();
      notify.success(t.mailed({ email: address ?? '' }));
      onClose();
    },
  });
  return (
    <PasswordDialog
      form={form}
      title={t.start}
      text={t.text}
      submitLabel={t.submit}
      busyLabel={t.busy}
      onClose={onClose}
    >
      <TextField form={form} name="forward_to" label={t.address} type="email" autoComplete="email" isRequired />
    </PasswordDialog>
  );
}
