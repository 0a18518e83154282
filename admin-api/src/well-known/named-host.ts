/** First labels of the names below a hosted domain at which this host answers. */
export const prefixes: readonly string[] = ['mta-sts', 'autoconfig'];

/** A name below a domain, in lower case. */
export interface NamedHost {
  prefix: string;
  domain: string;
}

/**
 * Splits the name of a Host header after its first label. The port and a dot at the end are
 * ignored. Null for a name without a second label. The header may be any text, since callers choose
 * it.
 */
export function namedHost(header: string): NamedHost | null {
  if (header.length > 300) return null;
  const name = header.replace(/:\d{0,5}$/, '').replace(/\.$/, '');
  const [, prefix, domain] = /^([a-z0-9-]+)\.([a-z0-9.-]*[a-z0-9])$/.exec(name.toLowerCase()) ?? [];
  return prefix === undefined || domain === undefined ? null : { prefix, domain };
}
