import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import type { WaitingCall } from '../../../lib/confirm-first.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { passkeysQuery } from '../../../lib/ways-in.ts';
import { confirmWords } from '../../../words/confirm.ts';
import { usePasskeyWay, usePasswordWay } from './confirm-ways.tsx';
import { whyNoPasskey } from './passkey-support.ts';

const useStyles = makeStyles({
  other: {
    alignSelf: 'flex-start',
    paddingLeft: 0,
    paddingRight: 0,
    minWidth: 'auto',
    color: tokens.colorBrandForegroundLink,
  },
});

/**
 * Asks for the password, and a code where two-factor is on, before the call is made again. A person
 * with a passkey may use that.
 */
export default function ConfirmSessionDialog({ call }: { call: WaitingCall }) {
  const styles = useStyles();
  const t = useWords(confirmWords);
  const isTwoFactorOn = useCurrentUser()?.twoFactorStatus ?? false;
  const { data: passkeys = [] } = useQuery({ ...passkeysQuery, enabled: isTwoFactorOn });
  const [way, setWay] = useState<'password' | 'passkey'>('password');
  const done = () => call.end(true);
  const ways = { password: usePasswordWay(isTwoFactorOn, done), passkey: usePasskeyWay(done) };
  const { form, fields, submitLabel, busyLabel } = ways[way];
  const other = way === 'password' ? 'passkey' : 'password';
  return (
    <FormDialog
      form={form}
      title={t.title}
      step={way}
      size="small"
      submitLabel={submitLabel}
      busyLabel={busyLabel}
      onClose={() => call.end(false)}
    >
      <span>{t.text}</span>
      {fields}
      {passkeys.length > 0 && whyNoPasskey() === null && (
        <Button
          appearance="transparent"
          className={styles.other}
          disabledFocusable={form.isPending}
          onClick={() => setWay(other)}
        >
          {ways[other].label}
        </Button>
      )}
    </FormDialog>
  );
}
