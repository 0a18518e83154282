/**
 * The counterpart of `encodedPassword` for clients. It has its own file so that the login page
 * loads no schemas.
 */
export function encodePassword(password: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(password)));
}
