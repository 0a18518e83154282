import type { CurrentUserDto } from '@selvage/core/contracts/auth';

/** What decides where somebody lands. */
export type Lander = Pick<CurrentUserDto, 'required_data' | 'role_id'>;

const REQUIRED_DATA = '/required_data';
const INBOX = '/dashboard/inbox';
export const HOME = '/dashboard/home';

function isRoleUser({ role_id: { role_name: name } }: Lander): boolean {
  return name.toLowerCase() === 'user';
}

/** Straight after a sign-in. */
export function afterSignIn(user: Lander): string {
  return user.required_data ? REQUIRED_DATA : INBOX;
}

/** After the password that had to be changed was. */
export function afterPasswordChange(user: Lander): string {
  return user.required_data ? REQUIRED_DATA : HOME;
}

/** Somebody signed in who comes to /auth (D15). */
export function awayFromAuth(user: Lander): string {
  if (user.required_data) return REQUIRED_DATA;
  return isRoleUser(user) ? HOME : INBOX;
}

/** Somebody signed in who comes to an address that there is not (D15). */
export function awayFromNowhere(user: Lander): string {
  if (user.required_data) return REQUIRED_DATA;
  return isRoleUser(user) ? INBOX : HOME;
}

/** Somebody signed in who comes to `/`. */
export function fromRoot(user: Lander): string {
  return user.required_data ? REQUIRED_DATA : HOME;
}
