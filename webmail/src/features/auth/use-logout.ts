import { logout } from '@selvage/core/contracts/auth';
import { api } from '../../lib/api.ts';
import { endSession } from '../../lib/session.ts';

/** Ends the session; `notice` is good news for the sign-in page to tell. */
export function useLogout(): (notice?: string) => Promise<void> {
  return async (notice) => {
    // leaving must work without the server too; the session then ends by itself
    await api(logout, { body: {} }).catch(() => undefined);
    endSession(notice ?? null, 'success');
  };
}
