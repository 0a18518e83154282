import { nameOrAddress } from '@selvage/core/contracts/full-name';
import { stopUserForwarding } from '@selvage/core/contracts/forwarding';
import { requireNewPassword, turnOffUserTwoFactor, type UserDto } from '@selvage/core/contracts/users';
import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { ConfirmDialog } from '../../components/dialog/ConfirmDialog.tsx';
import { Section } from '../../components/page/Section.tsx';
import { useChanged } from '../../hooks/use-changed.ts';
import { api } from '../../lib/api.ts';
import { useWords } from '../../lib/i18n.ts';
import { usersKey } from '../../lib/record-keys.ts';
import { dialogWords } from '../../words/dialogs.ts';
import { userWords } from '../../words/users.ts';

const useStyles = makeStyles({ buttons: { display: 'flex', flexWrap: 'wrap', gap: tokens.spacingHorizontalS } });

type Act = 'password' | 'twoFactor' | 'forwarding';

/** What an administrator does for a user who may have lost the account, or the second factor. */
export function AccountActions({ user }: { user: UserDto }) {
  const styles = useStyles();
  const t = useWords(userWords);
  const [open, setOpen] = useState<Act | null>(null);
  return (
    <Section title={t.help} hint={t.helpHint}>
      <div className={styles.buttons}>
        <Button onClick={() => setOpen('password')}>{t.requirePassword}</Button>
        {user.twoFactorStatus && <Button onClick={() => setOpen('twoFactor')}>{t.turnOffTwoFactor}</Button>}
        {user.forward_to !== null && <Button onClick={() => setOpen('forwarding')}>{t.stopForwarding}</Button>}
      </div>
      {open && <ActDialog act={open} user={user} onClose={() => setOpen(null)} />}
    </Section>
  );
}

function ActDialog({ act, user, onClose }: { act: Act; user: UserDto; onClose: () => void }) {
  const t = useWords(userWords);
  const { cancel } = useWords(dialogWords);
  const tellChanged = useChanged(usersKey);
  const options = { params: { id: user._id } };
  const name = nameOrAddress(user);
  const ask = {
    password: {
      title: t.requirePassword,
      text: t.requirePasswordText({ name }),
      call: () => api(requireNewPassword, options),
      said: t.passwordRequired,
    },
    twoFactor: {
      title: t.turnOffTwoFactor,
      text: t.turnOffText({ name }),
      call: () => api(turnOffUserTwoFactor, options),
      said: t.twoFactorOff,
    },
    forwarding: {
      title: t.stopForwarding,
      text: t.stopForwardingText({ name, address: user.forward_to ?? '' }),
      call: () => api(stopUserForwarding, options),
      said: t.forwardingStopped,
    },
  }[act];
  return (
    <ConfirmDialog
      title={ask.title}
      text={ask.text}
      isDangerous={act === 'twoFactor'}
      confirmLabel={ask.title}
      cancelLabel={cancel}
      onConfirm={async () => {
        await ask.call();
        await tellChanged(ask.said);
      }}
      onClose={onClose}
    />
  );
}
