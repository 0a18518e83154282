import { parsePolicy, resolvePolicy, validateMx } from 'mailauth/lib/mta-sts.js';
import { z } from 'zod';
import { type DnsResolver, dnsProblem } from './resolver.ts';

/** The most bytes of a policy that are read (RFC 8461 3.3). */
export const mostPolicyBytes = 65_536;
/** The longest time in seconds that a policy may hold (RFC 8461 3.2). */
const longestAge = 31_557_600;
/** A domain has a handful of exchangers. Each pattern costs time at every delivery. */
const mostPatterns = 100;
/** No name is longer, with `*.` before it (RFC 1035 2.3.4). A policy is kept for weeks. */
const longestPattern = 255;

/** What a domain asks of those that send it mail (RFC 8461 3.2). */
export const stsPolicySchema = z.object({
  mode: z.enum(['enforce', 'testing', 'none']),
  /** Host names, or `*.` and a name; lower case. Empty only in mode none. */
  mx: z.array(z.string().max(longestPattern)).max(mostPatterns),
  /** How long it holds after it was fetched, in seconds. */
  maxAge: z.number().int().min(0).max(longestAge),
});
export type StsPolicy = z.infer<typeof stsPolicySchema>;

/** A cached policy. Times are milliseconds since 1970. */
export const keptStsPolicy = z.object({
  id: z.string(),
  policy: stsPolicySchema,
  /**
   * When the policy is fetched again: early enough that it does not expire while its server
   * answers.
   */
  renewAt: z.number(),
  endsAt: z.number(),
});
export type KeptStsPolicy = z.infer<typeof keptStsPolicy>;

/** What the DNS says of a domain's policy. */
export type StsAnnouncement =
  /** There is one; another id means that it has changed. */
  | { kind: 'policy'; id: string }
  /** There is no announcement, or no valid one. */
  | { kind: 'none' }
  /** DNS gives no answer at the moment. */
  | { kind: 'unknown' };

/**
 * Reads the text of a policy by the letter of RFC 8461 3.2. Of a field that occurs twice the first
 * one counts; unknown fields are ignored.
 * @throws Error that says what is wrong
 */
export function parseStsPolicy(text: Buffer): StsPolicy {
  if (text.length > mostPolicyBytes) throw new Error('the policy is too long');
  const file = text.toString('utf8');
  // Checked first, since the library compares each of them with all others
  if ((file.match(/^mx/gm)?.length ?? 0) > mostPatterns) throw new Error('the policy names too many hosts');
  const { mode, mx, maxAge } = parsePolicy(file, { strict: true });
  return stsPolicySchema.parse({ mode, mx: mx ?? [], maxAge });
}

/** Says whether a policy names a mail host; `*.` stands for one label (RFC 8461 4.1). */
export function isNamedByPolicy(policy: StsPolicy, host: string): boolean {
  return validateMx(host, policy).valid;
}

/** Asks whether a domain (in ASCII) has a policy (RFC 8461 3.1). Never throws. */
export async function findStsAnnouncement(
  resolver: Pick<DnsResolver, 'txt'>,
  domain: string,
): Promise<StsAnnouncement> {
  const ask = async (name: string): Promise<string[][]> => (await resolver.txt(name)).map((record) => [record]);
  try {
    const id = await resolvePolicy(domain, { strict: true, resolver: ask });
    return id === false ? { kind: 'none' } : { kind: 'policy', id };
  } catch (error) {
    // RFC 8461 3.1: several records count as none
    const isMany = error instanceof Error && 'code' in error && error.code === 'multi_sts_records';
    return { kind: isMany || dnsProblem(error) !== 'temporary' ? 'none' : 'unknown' };
  }
}
