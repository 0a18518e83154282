import { sendRecoveryOtp, verifyOtp, verifyRecoveryOtp } from '@selvage/core/contracts/two-factor';
import { makeStyles, Radio, RadioGroup, tokens } from '@fluentui/react-components';
import { useState } from 'react';
import { FormDialog } from '../../../components/dialog/FormDialog.tsx';
import { CodeField } from '../../../components/form/CodeField.tsx';
import { RecoveryCodeField } from '../../../components/form/RecoveryCodeField.tsx';
import { useCodeForm, useRecoveryCodeForm } from '../../../hooks/use-code-form.ts';
import { useForm } from '../../../hooks/use-form.ts';
import { api } from '../../../lib/api.ts';
import { useCurrentUser } from '../../../lib/current-user.ts';
import { useWords } from '../../../lib/i18n.ts';
import { twoFactorWords } from '../../../words/two-factor.ts';

const useStyles = makeStyles({
  quiet: { color: tokens.colorNeutralForeground2, fontSize: tokens.fontSizeBase200 },
});

type Way = 'app' | 'recovery_code' | 'recovery_email';

interface Props {
  /** The app is not at hand: the other ways come first. */
  hasLostAccess: boolean;
  onDone: () => void;
  onClose: () => void;
}

/** Asks for the proof that turns two-factor off, by whichever way the person has at hand. */
export function TurnOffStep({ hasLostAccess, onDone, onClose }: Props) {
  const t = useWords(twoFactorWords);
  const user = useCurrentUser();
  const [way, setWay] = useState<Way>(hasLostAccess ? 'recovery_code' : 'app');
  const [isMailed, setMailed] = useState(false);
  const app = useCodeForm({ submit: (otp) => api(verifyOtp, { body: { otp, tfa_status: false } }), onDone });
  const kept = useRecoveryCodeForm({
    submit: (code) => api(verifyOtp, { body: { recovery_code: code, tfa_status: false } }),
    onDone,
  });
  const mailing = useForm({
    start: {},
    submit: () => api(sendRecoveryOtp, { body: { onoff_status: false } }),
    onDone: () => setMailed(true),
  });
  const mailed = useCodeForm({
    submit: (otp) => api(verifyRecoveryOtp, { body: { otp, onoff_status: false } }),
    onDone,
  });
  const needsMail = way === 'recovery_email' && !isMailed;
  const form = { app, recovery_code: kept, recovery_email: isMailed ? mailed : mailing }[way];
  return (
    <FormDialog
      form={form}
      title={hasLostAccess ? t.lostCodeTitle : t.turnOffTitle}
      // The radio that was just chosen keeps the focus; a code that was just mailed gets it
      step={isMailed ? 'mailed' : 'begin'}
      size="small"
      submitLabel={needsMail ? t.mailSubmit : t.turnOff}
      busyLabel={needsMail ? t.mailBusy : t.checking}
      onClose={onClose}
    >
      <WayChoice way={way} canMail={user?.recovery_email_in_force ?? null} onChoose={setWay} />
      {way === 'app' && <CodeField form={app} name="otp" label={t.code} onComplete={(otp) => void app.send({ otp })} />}
      {way === 'recovery_code' && <RecoveryCodeField form={kept} />}
      {way === 'recovery_email' && isMailed && (
        <CodeField
          form={mailed}
          name="otp"
          label={t.code}
          hint={t.mailHint}
          onComplete={(otp) => void mailed.send({ otp })}
        />
      )}
    </FormDialog>
  );
}

interface ChoiceProps {
  way: Way;
  /** The confirmed recovery address, if there is one. */
  canMail: string | null;
  onChoose: (way: Way) => void;
}

function WayChoice({ way, canMail, onChoose }: ChoiceProps) {
  const styles = useStyles();
  const t = useWords(twoFactorWords);
  return (
    <>
      <RadioGroup aria-label={t.ways} value={way} onChange={(_event, data) => onChoose(data.value as Way)}>
        <Radio value="app" label={t.byApp} />
        <Radio value="recovery_code" label={t.byRecoveryCode} />
        {canMail && <Radio value="recovery_email" label={t.byMail({ email: canMail })} />}
      </RadioGroup>
      {!canMail && <span className={styles.quiet}>{t.noMail}</span>}
    </>
  );
}
