import type { CurrentUserDto } from '@selvage/core/contracts/auth';

/** The facts that decide where a person lands. */
export type Lander = Pick<CurrentUserDto, 'required_data' | 'role_id'>;

const REQUIRED_DATA = '/required_data';
const INBOX = '/dashboard/inbox';
export const HOME = '/dashboard/home';
/** Where the public site, which stands at `/`, sends people who are logged in. */
export const START = '/start';

function isRoleUser({ role_id: { role_name: name } }: Lander): boolean {
  return name.toLowerCase() === 'user';
}

/** The page after a login. */
export function afterSignIn(user: Lander): string {
  return user.required_data ? REQUIRED_DATA : INBOX;
}

/** The page after a password that had to be changed. */
export function afterPasswordChange(user: Lander): string {
  return user.required_data ? REQUIRED_DATA : HOME;
}

/** The page for a logged-in person who opens /auth (D15). */
export function pageInsteadOfLogin(user: Lander): string {
  if (user.required_data) return REQUIRED_DATA;
  return isRoleUser(user) ? HOME : INBOX;
}

/** The page for a logged-in person who opens an unknown address (D15). */
export function pageForUnknownAddress(user: Lander): string {
  if (user.required_data) return REQUIRED_DATA;
  return isRoleUser(user) ? INBOX : HOME;
}

/** The page for a logged-in person who opens `/`, or who comes from the public site. */
export function fromRoot(user: Lander): string {
  return user.required_data ? REQUIRED_DATA : HOME;
}
