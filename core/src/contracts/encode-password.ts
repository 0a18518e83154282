/** The counterpart of `encodedPassword` for clients. It stands alone so that signing in needs no schemas. */
export function encodePassword(password: string): string {
  return btoa(String.fromCharCode(...new TextEncoder().encode(password)));
}
