import { useEffect } from 'react';
import { useNavigate } from 'react-router-dom';
import { useCurrentUser } from '../../lib/current-user.ts';
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx';
import { useLogout } from './use-logout.ts';

/** /dashboard/change_password: afterwards one signs in with the new password (spec 1, 4.4). */
export function ChangePasswordPage() {
  const user = useCurrentUser();
  const navigate = useNavigate();
  const logOut = useLogout();
  useEffect(() => {
    document.title = 'Change password · Selvage';
  }, []);
  const handleCancel = (): void => {
    const isFirst = (window.history.state as { idx?: number } | null)?.idx === 0;
    void (isFirst ? navigate('/dashboard/inbox', { replace: true }) : navigate(-1));
  };
  return (
    <ChangePasswordDialog
      email={user?.email ?? ''}
      reason="All your sessions end, this one too: afterwards you sign in with the new password."
      exit={{ label: 'Cancel', run: handleCancel }}
      onChanged={(message) => logOut(message)}
    />
  );
}
