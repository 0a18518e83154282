import { recordAccountAudit } from '@selvage/core/access/audit';
import { saveForm } from '@selvage/core/access/save-form';
import { readInScope } from '@selvage/core/access/scope';
import type { TxCtx } from '@selvage/core/context/context';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { updateUser } from '@selvage/core/contracts/users';
import { endAccess, outdateTokens } from '@selvage/core/directory/end-access';
import { endOtherWaysIn, sayEnded } from '@selvage/core/directory/end-other-ways-in';
import { dropLinks } from '@selvage/core/directory/one-time-links';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { holdSentMail } from '@selvage/core/jobs/hold-sent-mail';
import { normaliseAddress } from '@selvage/core/mail/addresses';
import type { Role } from '@selvage/core/models/role';
import { User } from '@selvage/core/models/user';
import { hashPassword } from '@selvage/core/secrets/password-hash';
import { passwordProblem } from '@selvage/core/secrets/password-rules';
import { tellOwner } from '@selvage/core/outbound/tell-owner';
import {
  checkRecoveryAddress,
  finishRecoveryChange,
  recoveryValues,
  tellOfRecoveryChange,
} from '../account/recovery-email.ts';
import { requireConfirmed } from '../auth/confirmed-session.ts';
import { endForeignForwarding } from '../account/forwarding.ts';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import type { UploadedFile } from '../http/uploads.ts';
import { checkDomain, checkNames, definedOf, profileFields, profileValues } from '../profile/profile-values.ts';
import { type Changeable, changeAnother, checkRole, refuseLastSuperAdmin, wrong } from './guard-user.ts';
import { presentUser } from './present-users.ts';
import type { Changed } from './remove-user.ts';
import { countConfirmationMail } from './rate-limits.ts';

type Body = InferBody<typeof updateUser>;

/** The form's fields, by the attribute that each fills. */
const fields = {
  ...profileFields,
  roleId: 'role_id',
  activeStatus: 'active_status',
  loginAllowed: 'loginAllowed',
  storageLimit: 'storage_limit',
  recoveryEmail: 'recovery_email',
  passwordHash: 'password',
} as const;

/** The changes that a form makes, compared with the person's locked row. */
interface Plan {
  /** The new role; null when the person keeps theirs. */
  role: Role | null;
  /**
   * Whether the form deactivates the person or bars them from logging in, and they could log in
   * before.
   */
  isBarred: boolean;
  /**
   * The new recovery address; null when it is removed, undefined when it stays. A new password
   * removes the recovery address unless the form sets one: the present one may be an attacker's.
   */
  recovery: string | null | undefined;
  passwordHash: string | null;
}

/**
 * Changes another person for an administrator. Fields that were not sent stay as they are. A new
 * role takes effect with the person's next request. A new password, deactivating and barring end
 * the person's sessions (D4). Deactivating and barring also hold the mail that waits (D59).
 * @throws 403 `outranked`, `not_yours_to_grant` or `confirm_first`, 404, 409, 422, 429
 */
export async function changeUser(
  ctx: SignedIn,
  id: string,
  { body, files }: { body: Body; files: UploadedFile[] },
): Promise<Changed> {
  const known = await readInScope(ctx, User, id);
  refuseOwnersFields(known, body, files);
  const passwordHash = body.password === undefined ? null : await hashOf(body.password, known.email);
  const recovery = body.recovery_email;
  if (recovery && normaliseAddress(recovery) !== known.recoveryEmail) await countConfirmationMail(ctx, recovery);
  return await changeAnother(ctx, id, async (tx, found) => {
    refuseDeleted(found.user);
    checkNames(found.user, definedOf({ fname: body.fname, lname: body.lname }));
    const plan = await planOf(tx, found, { body, passwordHash });
    // Each of the two is a way into the account. A role is judged by `checkRole`
    if (passwordHash !== null || typeof plan.recovery === 'string') await requireConfirmed(tx);
    const ended = await carryOut(tx, found, { body, plan });
    return { person: await presentUser(tx, await found.user.reload({ transaction: tx.tx })), ended };
  });
}

/**
 * Refuses changes that are not the administrator's to make. The email address names the mailbox.
 * Only the person may change their picture and finish the setup of the company.
 */
function refuseOwnersFields(user: User, body: Body, files: UploadedFile[]): void {
  if (body.email !== undefined && normaliseAddress(body.email) !== user.email) {
    throw wrong('email', 'The email address is the mailbox and cannot be changed');
  }
  checkDomain(user, body.domain_id);
  if (body.avatar !== undefined || files.length > 0) throw wrong('avatar', 'People choose their picture themselves');
  if (body.required_data !== undefined) throw wrong('required_data', 'People finish the setup themselves');
}

async function hashOf(password: string, email: string): Promise<string> {
  const problem = await passwordProblem(password, email);
  if (problem) throw wrong('password', problem);
  return await hashPassword(password);
}

async function planOf(
  tx: SignedIn & TxCtx,
  found: Changeable,
  { body, passwordHash }: { body: Body; passwordHash: string | null },
): Promise<Plan> {
  const { user } = found;
  const isAnotherRole = body.role_id !== undefined && body.role_id !== String(user.roleId);
  const role = isAnotherRole ? await checkRole(tx, String(user.companyId), body.role_id ?? '') : null;
  const isBarred =
    (body.active_status === false && user.activeStatus) || (body.loginAllowed === false && user.loginAllowed);
  if (role || isBarred) await refuseLastSuperAdmin(tx, found);
  const entered = await newRecovery(tx, user, body.recovery_email);
  // An attacker who has confirmed their own recovery address could use it to set the next password
  const isLeftOver = entered === undefined && passwordHash !== null && user.recoveryEmail !== null;
  return { role, isBarred, recovery: isLeftOver ? null : entered, passwordHash };
}

async function newRecovery(tx: TxCtx, user: User, typed: string | undefined): Promise<string | null | undefined> {
  if (typed === undefined || typed === (user.recoveryEmail ?? '')) return undefined;
  const address = typed === '' ? null : await checkRecoveryAddress(tx, user, typed);
  return address === user.recoveryEmail ? undefined : address;
}

/** @returns the keys of the sessions that ended */
async function carryOut(
  ctx: SignedIn & TxCtx,
  found: Changeable,
  { body, plan }: { body: Body; plan: Plan },
): Promise<string[]> {
  const { user } = found;
  const id = String(user.id);
  const { role, isBarred, recovery, passwordHash } = plan;
  // The audit event has the names, since an id says nothing once the role has been deleted
  const roles = role ? { before: { role: found.role.roleName }, after: { role: role.roleName } } : {};
  if (recovery !== undefined) await tellOfRecoveryChange(ctx, user, recovery);
  await saveForm(ctx, user, {
    changes: {
      ...definedOf({ ...profileValues(body), activeStatus: body.active_status, loginAllowed: body.loginAllowed }),
      ...(body.storage_limit === undefined ? {} : { storageLimit: bytesOf(body.storage_limit) }),
      ...(role ? { roleId: String(role.id) } : {}),
      ...(recovery === undefined ? {} : recoveryValues(recovery)),
      ...(passwordHash === null
        ? {}
        : {
            passwordHash,
            passwordChangeRequired: true,
            passwordByRecoveryEmail: false,
            confirmedRecoveryEmail: confirmedAfter(user, recovery),
          }),
    },
    fields,
    startedFrom: body.version,
    entity: 'user',
    action: 'user:updated',
    compared: ['fname', 'lname', 'designation', 'country', 'activeStatus', 'loginAllowed', 'storageLimit'],
    details: { email: user.email, ...roles },
    present: () => presentUser(ctx, user),
  });
  if (recovery !== undefined) await finishRecoveryChange(ctx, user, recovery, { isByOwner: false });
  if (role) await outdateTokens(ctx, { id });
  if (isBarred) await enqueue(ctx, holdSentMail, { userId: id });
  const ended = isBarred || passwordHash !== null ? await endAccess(ctx, { userIds: [id] }) : [];
  if (passwordHash !== null) await finishPasswordChange(ctx, user, ended.length);
  return ended;
}

/**
 * The recovery address that stays confirmed after a new password: only the confirmed one, if the
 * form enters it again.
 */
function confirmedAfter({ confirmedRecoveryEmail }: User, recovery: Plan['recovery']): string | null {
  return recovery === confirmedRecoveryEmail ? confirmedRecoveryEmail : null;
}

/** Bigint columns are strings in JavaScript, as ids are. */
const bytesOf = (bytes: number | null): string | null => (bytes === null ? null : String(bytes));

/**
 * An administrator sets a password when its owner has lost it or an attacker knows it. So app
 * passwords, passkeys and forwarding end as well, as when a mailed link sets it. The caller has
 * removed the recovery address already.
 */
async function finishPasswordChange(tx: TxCtx, user: User, endedSessions: number): Promise<void> {
  await dropLinks(tx, String(user.id), 'set_password');
  const waysIn = await endOtherWaysIn(tx, String(user.id), 'all');
  const forwarding = await endForeignForwarding(tx, user, { isByOwner: false });
  await recordAccountAudit(tx, user, 'password:set-by-administrator', {
    details: { endedSessions, ...waysIn },
    isByOwner: false,
  });
  const happened = 'An administrator set another password for your account, and all sessions were ended.';
  await tellOwner(tx, user, 'Your password was set', `${happened}${sayEnded(waysIn)}${forwarding}`);
}
