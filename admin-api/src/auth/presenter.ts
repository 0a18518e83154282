import { twoFactorDue } from '@selvage/core/access/two-factor-rule';
import { loadActor } from '@selvage/core/access/load-actor';
import type { CurrentUserDto, SessionDto } from '@selvage/core/contracts/auth';
import { findOwnAliases } from '@selvage/core/directory/own-address';
import { unauthorized } from '@selvage/core/errors';
import type { Session } from '@selvage/core/models/session';
import { Signature } from '@selvage/core/models/signature';
import type { Ctx } from '@selvage/core/context/context';
import { presentChoices } from '../account/choices.ts';
import { presentForwarding } from '../account/forwarding.ts';
import { presentRecovery, type RecoveryState } from '../account/recovery-email.ts';
import type { SignedIn } from '../http/request-context.ts';
import { countRecoveryCodes } from './recovery-codes.ts';

/** A session as its owner sees it. */
export function presentSession(session: Session): SessionDto {
  return {
    session_id: session.sessionKey,
    device_ip: session.deviceIp,
    user_agent: session.userAgent,
    login_time: session.createdAt.toISOString(),
    last_active: session.lastActive.toISOString(),
    token_version: session.tokenVersion,
  };
}

/**
 * The logged-in person, with all that the console needs about them.
 * @throws 401 when they may no longer use the account
 */
export async function loadCurrentUser(ctx: SignedIn): Promise<CurrentUserDto> {
  const person = await loadActor(ctx, ctx.actor.userId, ctx.actor.sessionId ?? '');
  if (!person) throw unauthorized();
  return await presentCurrentUser(ctx, person);
}

/** As `loadCurrentUser`, from records that are already loaded. */
export async function presentCurrentUser(ctx: SignedIn, person: Person): Promise<CurrentUserDto> {
  const { user } = person;
  const [aliases, signatures, codesLeft, recovery] = await Promise.all([
    findOwnAliases(ctx, String(user.id)),
    signaturesOf(ctx, [user.signatureNewId, user.signatureReplyId]),
    user.twoFactorStatus ? countRecoveryCodes(ctx, String(user.id)) : 0,
    presentRecovery(ctx, user),
  ]);
  return {
    ...presentPerson(person),
    ...recovery,
    aliases,
    recovery_codes_left: codesLeft,
    signature_new_emails_use: signatures.get(String(user.signatureNewId)) ?? null,
    signature_reply_forward_emails_use: signatures.get(String(user.signatureReplyId)) ?? null,
    undo_ms: user.undoMs ?? ctx.app.config.undoMs,
    session_id: ctx.actor.sessionId ?? '',
  };
}

type Person = NonNullable<Awaited<ReturnType<typeof loadActor>>>;
type Loaded =
  | 'aliases'
  | 'recovery_codes_left'
  | keyof RecoveryState
  | 'signature_new_emails_use'
  | 'signature_reply_forward_emails_use'
  | 'undo_ms'
  | 'session_id';

/** The parts that need no further query. */
function presentPerson({ actor, user, company, role }: Person): Omit<CurrentUserDto, Loaded> {
  return {
    _id: String(user.id),
    fname: user.fname,
    lname: user.lname,
    email: user.email,
    role_id: { _id: String(role.id), role_id: role.roleId, role_name: role.roleName },
    company_id: {
      _id: String(company.id),
      name: company.name,
      email: company.email,
      is_provider: Boolean(company.isProvider),
    },
    permissions: actor.permissions,
    avatar: user.avatar,
    designation: user.designation,
    bio: user.bio,
    country: user.country,
    phone_number: user.phoneNumber,
    active_status: user.activeStatus,
    domain_id: user.domainId === null ? null : String(user.domainId),
    ...presentForwarding(user),
    vacation_on: user.hasVacation,
    twoFactorStatus: user.twoFactorStatus,
    two_factor_due: presentDue(twoFactorDue(user, role)),
    choices: presentChoices(user),
    required_data: user.requiredData,
    password_change_required: user.passwordChangeRequired,
    token_version: user.tokenVersion,
    version: user.version,
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}

function presentDue(due: Date | null): CurrentUserDto['two_factor_due'] {
  return due && { at: due.toISOString(), is_over: due.getTime() <= Date.now() };
}

type SignatureRef = NonNullable<CurrentUserDto['signature_new_emails_use']>;

async function signaturesOf(ctx: Ctx, ids: (string | null)[]): Promise<Map<string, SignatureRef>> {
  const wanted = ids.filter((id) => id !== null);
  if (wanted.length === 0) return new Map();
  const found = await Signature.findAll({ where: { id: wanted }, transaction: ctx.tx });
  return new Map(
    found.map(({ id, signatureName, signatureBody }) => [
      String(id),
      { _id: String(id), signature_name: signatureName, signature_body: signatureBody },
    ]),
  );
}
