import type { CurrentUserDto, SessionDto } from '@selvage/core/contracts/auth';
import type { Company } from '@selvage/core/models/company';
import type { Role } from '@selvage/core/models/role';
import type { Session } from '@selvage/core/models/session';
import type { User } from '@selvage/core/models/user';
import type { Actor } from '@selvage/core/runtime/context';

/** A session for its owner. */
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

/** The signed-in person for themselves. */
export function presentCurrentUser(person: { actor: Actor; user: User; company: Company; role: Role }): CurrentUserDto {
  const { actor, user, company, role } = person;
  return {
    _id: String(user.id),
    fname: user.fname,
    lname: user.lname,
    email: user.email,
    role_id: { _id: String(role.id), role_id: role.roleId, role_name: role.roleName },
    company_id: { _id: String(company.id), name: company.name, email: company.email },
    permissions: actor.permissions,
    avatar: user.avatar,
    designation: user.designation,
    bio: user.bio,
    country: user.country,
    phone_number: user.phoneNumber,
    active_status: user.activeStatus,
    twoFactorStatus: user.twoFactorStatus,
    required_data: user.requiredData,
    password_change_required: user.passwordChangeRequired,
    token_version: user.tokenVersion,
    session_id: actor.sessionId ?? '',
    createdAt: user.createdAt.toISOString(),
    updatedAt: user.updatedAt.toISOString(),
  };
}
