import { Button } from '@fluentui/react-components';
import { useStore } from '@nanostores/react';
import { DialogFrame } from '../../../components/dialog/DialogFrame.tsx';
import { isSettingUpTwoFactor } from '../../../lib/duties.ts';
import { useWords } from '../../../lib/i18n.ts';
import { requestLogout } from '../../../lib/request-logout.ts';
import { twoFactorWords } from '../../../words/two-factor.ts';
import { useRefreshAccount } from '../queries.ts';
import { TurnOnDialog } from './TurnOnDialog.tsx';

/**
 * Stands in the place of every screen, or over the one that was open, until the person has the
 * second factor that their role asks for.
 */
export default function ForcedTwoFactor() {
  const t = useWords(twoFactorWords);
  const isSettingUp = useStore(isSettingUpTwoFactor);
  const refreshAccount = useRefreshAccount();
  const handleClose = (): void => {
    void refreshAccount().finally(() => isSettingUpTwoFactor.set(false));
  };
  if (isSettingUp) return <TurnOnDialog onClose={handleClose} />;
  return (
    <DialogFrame
      isAlert
      size="small"
      title={t.requiredTitle}
      actions={
        <>
          <Button onClick={() => void requestLogout()}>{t.logout}</Button>
          <Button appearance="primary" onClick={() => isSettingUpTwoFactor.set(true)}>
            {t.setUp}
          </Button>
        </>
      }
    >
      <span>{t.requiredText}</span>
    </DialogFrame>
  );
}
