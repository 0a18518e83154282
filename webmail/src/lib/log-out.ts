import { logout } from '@selvage/core/contracts/auth';
import { api } from './api.ts';
import { endSession } from './session.ts';

/** Logging out must work without the server too. The session then ends by itself. */
const LONGEST_WAIT_MS = 3_000;

/** Ends the session. The login page shows `notice` as a success. */
export async function logOut(notice?: string): Promise<void> {
  const patience = new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS));
  const told = api(logout, { body: {}, keepalive: true }).catch(() => undefined);
  await Promise.race([told, patience]);
  endSession(notice ?? null, 'success');
}
