import { useQueryClient } from '@tanstack/react-query';
import { useContext } from 'react';
import { useNavigate } from 'react-router-dom';
import { notify } from '../../components/feedback/notify.ts';
import { currentUserQuery, useCurrentUser } from '../../lib/current-user.ts';
import { useWords } from '../../lib/i18n.ts';
import { IsOverOpenPage } from '../../lib/is-over-open-page.ts';
import { afterPasswordChange } from '../../lib/landing.ts';
import { requestLogout } from '../../lib/request-logout.ts';
import { changePasswordWords } from '../../words/change-password.ts';
import ChangePasswordDialog from '../../components/password/ChangePasswordDialog.tsx';

/**
 * Stands in the place of every screen, or over the one that was open, until the password is
 * changed.
 */
export default function ForcedPasswordChange() {
  const t = useWords(changePasswordWords);
  const client = useQueryClient();
  const navigate = useNavigate();
  const user = useCurrentUser();
  const isOverOpenPage = useContext(IsOverOpenPage);
  if (!user) return null;
  const handleChanged = async (message: string): Promise<void> => {
    notify.success(message);
    if (!isOverOpenPage) await navigate(afterPasswordChange(user), { replace: true });
    await client.invalidateQueries({ queryKey: currentUserQuery.queryKey });
  };
  return (
    <ChangePasswordDialog
      email={user.email}
      reason={t.required}
      exit={{ label: t.logout, run: () => void requestLogout() }}
      onChanged={handleChanged}
    />
  );
}
