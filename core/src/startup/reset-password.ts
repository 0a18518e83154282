import { randomBytes } from 'node:crypto';
import { recordAccountAudit } from '../access/audit.ts';
import { findUsableAccount } from '../access/usable-account.ts';
import { type Ctx, inTransaction } from '../context/context.ts';
import { normaliseAddress } from '../mail/addresses.ts';
import { User } from '../models/user.ts';
import { OperatorError } from '../operator-error.ts';
import { tellTwoFactorOff } from '../outbound/tell-owner.ts';
import { createLink, shownToOperator } from '../directory/one-time-links.ts';
import { removeSecondFactor } from '../directory/remove-second-factor.ts';
import { writePassword } from '../directory/write-password.ts';
import { hashRandomPassword } from '../secrets/password-hash.ts';

/** What the operator asks for a person who can't log in any more. */
export interface PasswordReset {
  /** The address of the person's mailbox. */
  address: string;
  /** The person has lost the second factor as well. */
  turnsTwoFactorOff: boolean;
}

interface ResetLink {
  email: string;
  /** Sets a new password once, within 24 hours. */
  link: string;
  /** A login needs a second factor besides the password. */
  isTwoFactorOn: boolean;
  /** Two-factor was on until now, so the old password and the sessions are no longer valid. */
  wasTurnedOff: boolean;
}

/**
 * Makes a link with which a person sets a new password. Until it is opened, the password stays as
 * it is, unless two-factor is turned off: a thief that only the second factor kept out could log in
 * then. So the password becomes a random one that is never shown, and all sessions end. The person
 * sees in the account settings that the link was made (D32). When two-factor is turned off, they
 * are told by mail.
 * @throws {OperatorError} when no person has the address, or may not use the account
 */
export async function makeResetLink(ctx: Ctx, { address, turnsTwoFactorOff }: PasswordReset): Promise<ResetLink> {
  const email = normaliseAddress(address);
  if (email === null) throw new OperatorError(`${address} is no address`);
  // Before the transaction, which would hold its locks meanwhile
  const unknownHash = await hashRandomPassword(randomBytes(32).toString('base64url'));
  return await inTransaction(ctx, async (tx) => {
    const user = await User.findOne({ where: { email }, transaction: tx.tx, lock: tx.tx.LOCK.UPDATE });
    if (!user) throw new OperatorError(`no person has a mailbox ${email}; an alias or a group has no password`);
    if (!(await findUsableAccount(tx, user))) {
      throw new OperatorError(
        `${email} may not log in: the person, the role or the company is switched off or deleted`,
      );
    }
    const isOff = turnsTwoFactorOff && (await removeSecondFactor(tx, user));
    if (isOff) {
      await writePassword(tx, user, unknownHash);
      await recordAccountAudit(tx, user, 'two-factor:off', { details: { proved_by: 'operator' }, isByOwner: false });
      await tellTwoFactorOff(tx, user, 'operator');
    }
    const link = await createLink(tx, user, 'set_password', shownToOperator);
    const details = { by: 'operator' };
    await recordAccountAudit(tx, user, 'password:link-mailed', { details, isByOwner: false });
    return { email, link, isTwoFactorOn: user.twoFactorStatus && !isOff, wasTurnedOff: isOff };
  });
}
