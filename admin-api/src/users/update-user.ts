import { recordAccountAudit } from '@selvage/core/access/audit';
import { saveForm } from '@selvage/core/access/save-form';
import { readInScope } from '@selvage/core/access/scope';
import type { TxCtx } from '@selvage/core/context/context';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { updateUser } from '@selvage/core/contracts/users';
import { endAccess, outdateTokens } from '@selvage/core/directory/end-access';
import { endOtherWaysIn, sayEnded } from '@selvage/core/directory/end-other-ways-in';
import { dropLinks } from '@selvage/core/directory/one-time-links';
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
import { requireConfirmed, requireConfirmedForRoles } from '../auth/confirmed-session.ts';
import { endForeignForwarding } from '../account/forwarding.ts';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import type { UploadedFile } from '../http/uploads.ts';
import { definedOf, profileFields, profileValues } from '../profile/profile-values.ts';
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

/** What a form changes, judged against the person as they are now. */
interface Plan {
  /** Another role than the person has. */
  role: Role | null;
  /** The person is switched off or barred, and was not. */
  isBarred: boolean;
  /**
   * Another recovery address; undefined when it stays. With a password, none stays that the form
   * does not change: whether it is the owner's or an attacker's can't be told.
   */
  recovery: string | null | undefined;
  passwordHash: string | null;
}

/**
 * Changes another person for an administrator. Fields that were not sent stay as they are. Another
 * role holds from the person's next request on; a password, switching off and barring end their
 * sessions (D4).
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
    const plan = await planOf(tx, found, { body, passwordHash });
    await confirmFor(tx, plan);
    const ended = await carryOut(tx, found, { body, plan });
    return { person: await presentUser(tx, await found.user.reload({ transaction: tx.tx })), ended };
  });
}

/**
 * The address is the name of the mailbox. The picture and the set-up of the company are the
 * person's own.
 */
function refuseOwnersFields(user: User, body: Body, files: UploadedFile[]): void {
  if (body.email !== undefined && normaliseAddress(body.email) !== user.email) {
    throw wrong('email', 'The e-mail address is the mailbox and cannot be changed');
  }
  if (body.avatar !== undefined || files.length > 0) throw wrong('avatar', 'People choose their picture themselves');
  if (body.required_data !== undefined) throw wrong('required_data', 'People finish the set-up themselves');
}

async function hashOf(password: string, email: string): Promise<string> {
  const problem = await passwordProblem(password, email);
  if (problem) throw wrong('password', problem);
  return await hashPassword(password);
}

async function planOf(
  tx: TxCtx,
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
  // With an address that an attacker has confirmed they would set the next password themselves
  const isLeftOver = entered === undefined && passwordHash !== null && user.recoveryEmail !== null;
  return { role, isBarred, recovery: isLeftOver ? null : entered, passwordHash };
}

/** A password, a recovery address and a role that reaches others are ways into the account. */
async function confirmFor(ctx: SignedIn, { role, recovery, passwordHash }: Plan): Promise<void> {
  if (passwordHash !== null || typeof recovery === 'string') await requireConfirmed(ctx);
  else if (role) await requireConfirmedForRoles(ctx, [String(role.id)]);
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
  // By name: an id says nothing once the role is gone
  const details = role ? { before: { role: found.role.roleName }, after: { role: role.roleName } } : {};
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
    details,
    present: () => presentUser(ctx, user),
  });
  if (recovery !== undefined) await finishRecoveryChange(ctx, user, recovery, { isByOwner: false });
  if (role) await outdateTokens(ctx, { id });
  const ended = isBarred || passwordHash !== null ? await endAccess(ctx, { userIds: [id] }) : [];
  if (passwordHash !== null) await finishPasswordChange(ctx, user, ended.length);
  return ended;
}

/** What a new password leaves confirmed: only the address that the same form goes back to. */
function confirmedAfter({ confirmedRecoveryEmail }: User, recovery: Plan['recovery']): string | null {
  return recovery === confirmedRecoveryEmail ? confirmedRecoveryEmail : null;
}

/** A number of bytes is a text in code, as ids are. */
const bytesOf = (bytes: number | null): string | null => (bytes === null ? null : String(bytes));

/**
 * An administrator sets a password when it is lost or known to an attacker. So app passwords,
 * passkeys and forwarding end as well, as they do with a mailed link. The recovery address is gone
 * already.
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
