import { InfoDialog } from '../../components/dialog/InfoDialog.tsx';
import { OneTimeSecret } from '../../components/OneTimeSecret.tsx';
import { useWords } from '../../lib/i18n.ts';
import { userWords } from '../../words/users.ts';
import type { HandedOver } from './use-new-user-form.ts';

/**
 * Address and password of a new user, to be copied; the password is known here for the last time.
 */
export function NewUserSecret({ name, email, password, onClose }: HandedOver & { onClose: () => void }) {
  const t = useWords(userWords);
  return (
    <InfoDialog title={t.createdTitle({ name })} doneLabel={t.done} isShownOnce onClose={onClose}>
      <span>{t.createdText}</span>
      <OneTimeSecret name={t.theAddress} text={email} testId="new-address" />
      <OneTimeSecret name={t.thePassword} text={password} testId="new-password" />
    </InfoDialog>
  );
}
