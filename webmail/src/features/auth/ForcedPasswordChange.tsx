import type { CurrentUserDto } from '@selvage/core/contracts/auth';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import { notify } from '../../components/feedback/notify.ts';
import { currentUserQuery } from '../../lib/current-user.ts';
import { afterPasswordChange } from '../../lib/landing.ts';
import { ChangePasswordDialog } from './ChangePasswordDialog.tsx';
import { useLogout } from './use-logout.ts';

/** Stands in the place of every screen until the password is changed. */
export function ForcedPasswordChange({ user }: { user: CurrentUserDto }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const logOut = useLogout();
  const handleChanged = async (message: string): Promise<void> => {
    notify.success(message);
    await navigate(afterPasswordChange(user), { replace: true });
    await client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
  };
  return (
    <ChangePasswordDialog
      email={user.email}
      reason="Choose a password that only you know before you go on. Your other sessions end."
      exit={{ label: 'Logout', run: () => void logOut() }}
      onChanged={handleChanged}
    />
  );
}
