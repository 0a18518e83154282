/**
 * Remembers the page that is shown. The returned function says whether it is still the same one:
 * when an answer of the server comes late, the person may be on another page, which must not be
 * taken from them.
 */
export function stillHere(): () => boolean {
  const { pathname } = window.location;
  return () => window.location.pathname === pathname;
}
