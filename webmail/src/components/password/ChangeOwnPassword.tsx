import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { logOut } from '../../lib/log-out.ts';
import { mayLogOut } from '../../lib/request-logout.ts';
import { changePasswordWords } from '../../words/change-password.ts';
import ChangePasswordDialog from './ChangePasswordDialog.tsx';
import { OtherWaysIn } from './OtherWaysIn.tsx';

/**
 * The logged-in person changes their password, and chooses which other ways of logging in end with
 * it. Afterwards they log in with the new password.
 */
export default function ChangeOwnPassword({ onCancel }: { onCancel: () => void }) {
  const t = useWords(changePasswordWords);
  return (
    <ChangePasswordDialog
      email={useCurrentUser()?.email ?? ''}
      reason={t.endsAll}
      exit={{ label: t.cancel, run: onCancel }}
      mayBegin={mayLogOut}
      onChanged={logOut}
      otherWaysIn={OtherWaysIn}
    />
  );
}
