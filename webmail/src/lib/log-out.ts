import { logout } from '@selvage/core/contracts/auth';
import { api } from './api.ts';
import { endSession } from './session.ts';

/** Leaving must work without the server too; the session then ends by itself. */
const LONGEST_WAIT_MS = 3_000;

/** Ends the session; `notice` is good news for the login page to tell. */
export async function logOut(notice?: string): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS));
  const told = api(logout, { body: {}, keepalive: true }).catch(() => undefined);
  await Promise.race([told, patience]);
  endSession(notice ?? null, 'success');
}
