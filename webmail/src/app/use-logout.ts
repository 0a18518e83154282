import { logout } from '@selvage/core/contracts/auth';
import { api } from '../lib/api.ts';
import { endSession } from '../lib/session.ts';

export function useLogout(): () => Promise<void> {
  return async () => {
    // leaving must work without the server too; the session then ends by itself
    await api(logout, { body: {} }).catch(() => undefined);
    endSession();
  };
}
