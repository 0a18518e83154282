import { useNavigate } from 'react-router-dom';
import { useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { logOut } from '../../lib/log-out.ts';
import { changePasswordWords } from '../../words/change-password.ts';
import ChangePasswordDialog from './ChangePasswordDialog.tsx';
import { OtherWaysIn } from './OtherWaysIn.tsx';

/** /dashboard/change_password. Afterwards the person logs in with the new password. */
export default function ChangePasswordPage() {
  const t = useWords(changePasswordWords);
  const user = useCurrentUser();
  const navigate = useNavigate();
  const handleCancel = (): void => {
    const isFirst = (window.history.state as { idx?: number } | null)?.idx === 0;
    void (isFirst ? navigate('/dashboard/inbox', { replace: true }) : navigate(-1));
  };
  return (
    <ChangePasswordDialog
      email={user?.email ?? ''}
      reason={t.endsAll}
      exit={{ label: t.cancel, run: handleCancel }}
      onChanged={logOut}
      otherWaysIn={OtherWaysIn}
    />
  );
}
