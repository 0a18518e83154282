import { recordAccountAudit } from '@selvage/core/access/audit';
import { endOtherWaysIn, sayEnded } from '@selvage/core/directory/end-other-ways-in';
import { dropConfirmations } from '@selvage/core/directory/one-time-links';
import { writePassword } from '@selvage/core/directory/write-password';
import { lockUser } from '@selvage/core/directory/lock-user';
import { conflict, invalid } from '@selvage/core/errors';
import { inTransaction } from '@selvage/core/context/context';
import { hashPassword } from '@selvage/core/secrets/password-hash';
import { passwordProblem } from '@selvage/core/secrets/password-rules';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import { requirePassword } from '../auth/require-password.ts';
import { sayForwarding } from './forwarding.ts';
import type { SignedIn } from '../http/request-context.ts';

/**
 * Changes the caller's password (D14). The calling session stays valid, but has to refresh its
 * tokens. All other sessions end, and so do the app passwords and passkeys that the caller names.
 * Links that would confirm a recovery or forwarding address become invalid and must be mailed
 * again.
 * @returns the keys of the sessions that ended
 * @throws 409, 422, 429
 */
export async function changeOwnPassword(
  ctx: SignedIn,
  given: { old_password: string; new_password: string; end_app_passwords: string[]; end_passkeys: string[] },
): Promise<string[]> {
  const wrong = 'Failed to change password: the current password is wrong';
  const known = await requirePassword(ctx, given.old_password, 'old_password', wrong);
  const problem = await problemOf(given, known.email);
  if (problem) throw invalid({ new_password: problem }, problem);
  const passwordHash = await hashPassword(given.new_password);
  const { sessionId } = ctx.actor;
  return await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    if (user.passwordHash !== known.passwordHash) throw changedMeanwhile();
    const ended = await writePassword(tx, user, passwordHash, sessionId ? { exceptSession: sessionId } : {});
    const waysIn = await endOtherWaysIn(tx, String(user.id), {
      appPasswords: given.end_app_passwords,
      passkeys: given.end_passkeys,
    });
    const voided = sayVoided(await dropConfirmations(tx, String(user.id)));
    await recordAccountAudit(tx, user, 'password:changed', { details: { endedSessions: ended.length, ...waysIn } });
    await tellOwner(
      tx,
      user,
      'Your password was changed',
      `The password of your account was changed, and all other sessions were ended.${sayEnded(waysIn)}${sayForwarding(user)}${voided}`,
    );
    return ended;
  });
}

/**
 * A sentence about the links that became invalid: a person who knew the old password may have
 * entered these addresses.
 */
function sayVoided(addresses: readonly string[]): string {
  if (addresses.length === 0) return '';
  return ` Links that were mailed to ${addresses.join(' and ')} no longer work. New ones are mailed from the account settings.`;
}

async function problemOf(given: { old_password: string; new_password: string }, email: string): Promise<string | null> {
  const isSame = given.new_password.normalize('NFC') === given.old_password.normalize('NFC');
  if (isSame) return 'The new password must differ from the current one';
  return await passwordProblem(given.new_password, email);
}

function changedMeanwhile(): Error {
  return conflict('The password was changed a moment ago. Please log in again.', 'password_changed_meanwhile');
}
