import { recordAccountAudit } from '@selvage/core/access/audit';
import { findLink, invalidLink, redeemLink, shownToOperator } from '@selvage/core/directory/one-time-links';
import { endOtherWaysIn, sayEnded } from '@selvage/core/directory/end-other-ways-in';
import { findRecoveryAddress } from '@selvage/core/directory/recovery-address';
import { findUsableAccount } from '@selvage/core/access/usable-account';
import { writePassword } from '@selvage/core/directory/write-password';
import { invalid } from '@selvage/core/errors';
import { User } from '@selvage/core/models/user';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import { rememberNetwork } from '@selvage/core/access/known-networks';
import { networkOf } from '@selvage/core/access/network-of';
import { hashPassword, verifyPassword } from '@selvage/core/secrets/password-hash';
import { passwordProblem } from '@selvage/core/secrets/password-rules';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import { endForeignForwarding } from './forwarding.ts';
import { keepRecoveryAddress } from './recovery-email.ts';

/**
 * The person whose password a link can set.
 * @throws 400 when the link is no longer valid
 */
export async function ownerOfLink(ctx: Ctx, token: string): Promise<User> {
  const link = await findLink(ctx, token, 'set_password');
  const user = link && (await User.findByPk(link.userId));
  if (!user || !(await findUsableAccount(ctx, user))) throw invalidLink();
  return user;
}

/**
 * Why the new password may not equal the present one; null when there is no objection. Only a
 * person who is required to change the password must choose another one.
 */
async function sameProblem(ctx: Ctx, owner: User, password: string): Promise<string | null> {
  if (!owner.passwordChangeRequired) return null;
  const isSame = await verifyPassword(password, owner.passwordHash, networkOf(ctx.address));
  return isSame ? 'The new password must differ from the current one' : null;
}

const noMailedCode =
  ' No code is mailed to that address as a second factor until a login with your app or a recovery code.';

const originOf = (address: string): string =>
  address === shownToOperator ? 'the operator of this host made' : `was mailed to ${address}`;

/**
 * Sets a password with a link. Ends all sessions, app passwords, passkeys and forwarding, and
 * removes every recovery address except the one to which the link was mailed: an attacker may have
 * had the account and added them. Two-factor stays on. No code is mailed to the link's address
 * until another factor was right (D13), so an attacker who controls the recovery mailbox can't get
 * in with that alone.
 * @returns the keys of the sessions that ended
 * @throws 400 when the link is no longer valid, 422
 */
export async function setPasswordByLink(ctx: Ctx, token: string, password: string): Promise<string[]> {
  const owner = await ownerOfLink(ctx, token);
  // Checked before the link is used up, so that the person may choose another password
  const problem = (await sameProblem(ctx, owner, password)) ?? (await passwordProblem(password, owner.email));
  if (problem) throw invalid({ new_password: problem }, problem);
  const passwordHash = await hashPassword(password);
  const ended = await writeByLink(ctx, token, passwordHash);
  // A person in a new network may log in now, whatever was guessed at the password before
  await rememberNetwork(ctx.app, String(owner.id), networkOf(ctx.address));
  return ended;
}

async function writeByLink(ctx: Ctx, token: string, passwordHash: string): Promise<string[]> {
  return await inTransaction(ctx, async (tx) => {
    const { link, user } = await redeemLink(tx, token, 'set_password');
    // A link to any other address may have been mailed to an administrator
    const isByOwner = link.address === (await findRecoveryAddress(tx, user));
    const byRecoveryEmail = isByOwner && user.twoFactorStatus;
    const ended = await writePassword(tx, user, passwordHash, { byRecoveryEmail });
    const waysIn = await endOtherWaysIn(tx, String(user.id), 'all');
    const forwarding = await endForeignForwarding(tx, user, { isByOwner });
    const details = { endedSessions: ended.length, ...waysIn };
    await recordAccountAudit(tx, user, 'password:set-by-link', { details, isByOwner });
    await tellOwner(
      tx,
      user,
      'Your password was set',
      `A new password was set with a link that ${originOf(link.address)}, and all sessions were ended.${sayEnded(waysIn)}${byRecoveryEmail ? noMailedCode : ''}${forwarding}`,
    );
    await keepRecoveryAddress(tx, user, link.address, { isByOwner });
    return ended;
  });
}
