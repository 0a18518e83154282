import { Button, makeStyles, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { FormDialog } from '../../components/dialog/FormDialog.tsx';
import { useWords } from '../../lib/i18n.ts';
import { secondFactorWords } from '../../words/second-factor.ts';
import { type FactorProps, useAppFactor, useMailFactor, usePasskeyFactor, useRecoveryCodeFactor } from './factors.tsx';
import type { SecondFactor } from './use-sign-in.ts';

const useStyles = makeStyles({
  others: {
    display: 'flex',
    flexDirection: 'column',
    alignItems: 'flex-start',
    margin: 0,
    padding: 0,
    listStyleType: 'none',
  },
  quiet: { color: tokens.colorNeutralForeground2, fontSize: tokens.fontSizeBase200 },
  other: { paddingLeft: 0, paddingRight: 0, minWidth: 'auto', color: tokens.colorBrandForegroundLink },
});

interface Props extends FactorProps {
  /** What the person can prove themselves with. */
  factors: SecondFactor[];
  /** The password came from the recovery mailbox, which then proves nothing more. */
  isPasswordByMail: boolean;
  onCancel: () => void;
}

/** Asks for the second factor of a login, by whichever way the person has at hand. */
export default function TwoFactorDialog({ factors, isPasswordByMail, onCancel, ...props }: Props) {
  const styles = useStyles();
  const t = useWords(secondFactorWords);
  // A browser that is not reached by https, or an old one, knows no passkeys
  const ways = factors.filter((way) => way !== 'passkey' || 'PublicKeyCredential' in window);
  const [way, setWay] = useState(ways[0] ?? 'totp');
  const all = {
    totp: useAppFactor(props),
    passkey: usePasskeyFactor(props),
    recovery_code: useRecoveryCodeFactor(props),
    recovery_email: useMailFactor(props),
  };
  const { form, step, submitLabel, busyLabel, content } = all[way];
  return (
    <FormDialog
      form={form}
      title={t.title}
      step={step}
      size="small"
      submitLabel={submitLabel}
      busyLabel={busyLabel}
      onClose={onCancel}
    >
      {content}
      {ways.length > 1 && (
        <ul className={styles.others} aria-label={t.others}>
          {ways
            .filter((other) => other !== way)
            .map((other) => (
              <li key={other}>
                <Button
                  appearance="transparent"
                  className={styles.other}
                  disabledFocusable={form.isPending}
                  onClick={() => setWay(other)}
                >
                  {all[other].label}
                </Button>
              </li>
            ))}
        </ul>
      )}
      {isPasswordByMail && <span className={styles.quiet}>{t.noMailedCode}</span>}
    </FormDialog>
  );
}
