import { recordAccountAudit, recordAudit } from '@selvage/core/access/audit';
import { inTransaction, type TxCtx } from '@selvage/core/context/context';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { createUser, UserDetailDto } from '@selvage/core/contracts/users';
import { canHaveAddresses } from '@selvage/core/directory/domain-proof';
import { requireSeat } from '@selvage/core/directory/plan-limits';
import { domainOf } from '@selvage/core/mail/address-rules';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import { Domain } from '@selvage/core/models/domain';
import { User } from '@selvage/core/models/user';
import { hashPassword } from '@selvage/core/secrets/password-hash';
import { passwordProblem } from '@selvage/core/secrets/password-rules';
import { type CreationAttributes, UniqueConstraintError } from 'sequelize';
import { addressTaken, ownersNameProblem } from '../addresses/claim-address.ts';
import { checkRecoveryAddress, mailRecoveryConfirmation } from '../account/recovery-email.ts';
import type { SignedIn } from '../http/request-context.ts';
import { checkRole, lockCompany, wrong } from './guard-user.ts';
import { presentUser } from './present-users.ts';
import { countConfirmationMail } from './rate-limits.ts';

type Body = InferBody<typeof createUser>;

/**
 * Adds a person to a company. The administrator knows the password, so the person has to change it
 * when they first log in.
 * @throws 403 `not_yours_to_grant` or `confirm_first`, 409 `address_taken` or
 *   `users_limit_reached`, 422, 429
 */
export async function addUser(ctx: SignedIn, body: Body): Promise<UserDetailDto> {
  const email = normaliseAddress(body.email);
  if (!email) throw wrong('email', 'Invalid email format');
  const problem = await passwordProblem(body.password, email);
  if (problem) throw wrong('password', problem);
  if (body.recovery_email) await countConfirmationMail(ctx, body.recovery_email);
  const passwordHash = await hashPassword(body.password);
  return await inTransaction(ctx, async ({ tx }) => {
    const inTx = { ...ctx, tx };
    const user = await insertUser(inTx, {
      body,
      email,
      passwordHash,
      companyId: body.companyId ?? ctx.actor.companyId,
    });
    // Reads the columns that the database has filled in
    await user.reload({ transaction: tx });
    return await presentUser(inTx, user);
  });
}

interface NewUser {
  body: Body;
  email: string;
  passwordHash: string;
  companyId: string;
}

async function insertUser(tx: SignedIn & TxCtx, { body, email, passwordHash, companyId }: NewUser): Promise<User> {
  await lockCompany(tx, companyId);
  await requireSeat(tx, companyId);
  const role = await checkRole(tx, companyId, body.role_id);
  await checkDomain(tx, companyId, { domainId: body.domain_id, email });
  const user = await createUnique(tx, {
    companyId,
    roleId: body.role_id,
    domainId: body.domain_id,
    email,
    passwordHash,
    fname: body.fname,
    lname: body.lname ?? '',
    phoneNumber: body.phone_number || null,
    passwordChangeRequired: true,
  });
  await recordAudit(tx, {
    action: 'user:created',
    entity: 'user',
    entityId: String(user.id),
    companyId,
    details: { email, role: role.roleName },
  });
  if (body.recovery_email) await setFirstRecoveryAddress(tx, user, body.recovery_email);
  return user;
}

async function checkDomain(
  tx: TxCtx,
  companyId: string,
  { domainId, email }: { domainId: string; email: string },
): Promise<void> {
  const where = { id: domainId, companyId, ...canHaveAddresses };
  const domain = await Domain.findOne({ where, transaction: tx.tx, lock: tx.tx.LOCK.SHARE });
  if (!domain) throw wrong('domain_id', 'Choose a domain of the company');
  if (domainOf(email) !== domain.domainName) throw wrong('email', `The address must end in @${domain.domainName}`);
  const problem = ownersNameProblem(tx, { companyId, address: email });
  if (problem) throw wrong('email', problem);
}

async function createUnique(tx: TxCtx, values: CreationAttributes<User>): Promise<User> {
  try {
    return await User.create(values, { transaction: tx.tx });
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    throw addressTaken('email');
  }
}

/**
 * Stores the recovery address and mails a link to it. It is used only after its owner has confirmed
 * it.
 */
async function setFirstRecoveryAddress(tx: TxCtx, user: User, typed: string): Promise<void> {
  const recoveryEmail = await checkRecoveryAddress(tx, user, typed);
  await user.update({ recoveryEmail }, { transaction: tx.tx });
  await recordAccountAudit(tx, user, 'recovery-email:changed', { isByOwner: false });
  await mailRecoveryConfirmation(tx, user, recoveryEmail);
}
