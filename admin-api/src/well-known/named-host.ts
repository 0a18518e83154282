/** Names below a hosted domain that this host answers at. */
export const prefixes: readonly string[] = ['mta-sts', 'autoconfig'];

/** A name below a domain, in lower case. */
export interface NamedHost {
  prefix: string;
  domain: string;
}

/**
 * The name in a Host header, without its port and the dot of the root, cut after the first label;
 * null for what has no second one. A caller may send any text.
 */
export function namedHost(header: string): NamedHost | null {
  if (header.length > 300) return null;
  const name = header.replace(/:\d{0,5}$/, '').replace(/\.$/, '');
  const [, prefix, domain] = /^([a-z0-9-]+)\.([a-z0-9.-]*[a-z0-9])$/.exec(name.toLowerCase()) ?? [];
  return prefix === undefined || domain === undefined ? null : { prefix, domain };
}
