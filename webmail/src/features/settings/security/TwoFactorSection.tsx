import { renewRecoveryCodes } from '@selvage/core/contracts/two-factor';
import { Badge, Button, Link, makeStyles, Switch, Text, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { api } from '../../../lib/api.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { plural } from '../../../lib/format.ts';
import { PasswordDialog } from '../PasswordDialog.tsx';
import { useRefreshAccount } from '../queries.ts';
import { Section } from '../../../components/page/Section.tsx';
import { OneTimeCodes } from './OneTimeCodes.tsx';
import { TurnOffDialog } from './TurnOffDialog.tsx';
import { TurnOnDialog } from './TurnOnDialog.tsx';

const useStyles = makeStyles({
  line: { display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: tokens.spacingHorizontalM },
  grow: { flex: '1 1 220px' },
});

const FEW_CODES = 3;

type Open = 'on' | 'off' | 'lost' | 'renew' | null;

/** The second thing that is asked for at a sign-in. */
export function TwoFactorSection() {
  const styles = useStyles();
  const user = useCurrentUser();
  const [open, setOpen] = useState<Open>(null);
  if (!user) return null;
  const isOn = user.twoFactorStatus;
  const close = (): void => setOpen(null);
  return (
    <Section
      title="Two-factor authentication"
      hint="At each sign-in, a code from an app on your phone is asked for after the password. Whoever steals your password still can’t get in."
      action={
        <Switch
          checked={isOn}
          label={isOn ? 'On' : 'Off'}
          aria-label="Two-factor authentication"
          onChange={() => setOpen(isOn ? 'off' : 'on')}
        />
      }
    >
      {isOn && (
        <>
          <div className={styles.line}>
            <Text className={styles.grow}>
              {plural(user.recovery_codes_left, 'recovery code', 'recovery codes')} left{' '}
              {user.recovery_codes_left <= FEW_CODES && (
                <Badge appearance="tint" color="warning">
                  Renew them soon
                </Badge>
              )}
            </Text>
            <Button onClick={() => setOpen('renew')}>New recovery codes</Button>
          </div>
          <span>
            <Link as="button" inline onClick={() => setOpen('lost')}>
              Lost access to your app?
            </Link>
          </span>
        </>
      )}
      {open === 'on' && <TurnOnDialog onClose={close} />}
      {(open === 'off' || open === 'lost') && <TurnOffDialog hasLostAccess={open === 'lost'} onClose={close} />}
      {open === 'renew' && <RenewDialog onClose={close} />}
    </Section>
  );
}

function RenewDialog({ onClose }: { onClose: () => void }) {
  const refreshAccount = useRefreshAccount();
  const [codes, setCodes] = useState<string[] | null>(null);
  const renew = async (password: string): Promise<void> => {
    const answer = await api(renewRecoveryCodes, { body: { password } });
    setCodes(answer.recovery_codes);
    await refreshAccount();
  };
  if (codes) {
    return (
      <FormDialog title="Your new recovery codes" submitLabel="I have kept them" onSubmit={onClose} onClose={onClose}>
        <OneTimeCodes codes={codes} />
      </FormDialog>
    );
  }
  return (
    <PasswordDialog
      title="New recovery codes"
      text="You get ten new codes. The old ones are good for nothing then."
      submitLabel="Make new codes"
      pendingLabel="Making them"
      run={renew}
      onClose={onClose}
    />
  );
}
