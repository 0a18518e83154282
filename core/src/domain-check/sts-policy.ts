import { createHash } from 'node:crypto';
import type { Config } from '../process/config.ts';

type Host = Pick<Config, 'hostname' | 'stsMode'>;

/**
 * A week (RFC 8461 10): other servers forget a mistaken policy by then, and an attacker can hardly
 * keep them from renewing it for so long.
 */
const maxAgeSeconds = 604_800;

/**
 * The policy by which other servers insist on TLS when they deliver here (RFC 8461 3.2). It is the
 * same for all domains, since the mail of all of them comes to this host.
 */
export function stsPolicy({ hostname, stsMode }: Host): string {
  const lines = ['version: STSv1', `mode: ${stsMode}`, `mx: ${hostname}`, `max_age: ${maxAgeSeconds}`];
  return lines.map((line) => `${line}\r\n`).join('');
}

/**
 * The id by which other servers notice that the policy has changed (RFC 8461 3.1): at most 32
 * letters and digits.
 */
export function stsPolicyId(host: Host): string {
  return createHash('sha256').update(stsPolicy(host)).digest('hex').slice(0, 32);
}
