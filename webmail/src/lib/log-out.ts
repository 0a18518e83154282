import { logout } from '@selvage/core/contracts/auth';
import { api } from './api.ts';
import { endSession } from './session.ts';

/** Ends the session; `notice` is good news for the login page to tell. */
export async function logOut(notice?: string): Promise<void> {
  // leaving must work without the server too; the session then ends by itself
  await api(logout, { body: {} }).catch(() => undefined);
  endSession(notice ?? null, 'success');
}
