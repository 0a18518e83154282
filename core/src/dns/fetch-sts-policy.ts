import { X509Certificate } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import type { PeerCertificate } from 'node:tls';
import { withDeadline } from '../with-deadline.ts';
import { mostPolicyBytes, parseStsPolicy, type StsPolicy } from './mta-sts-policy.ts';
import { findReachableAddresses, lookUpAs, type Reach } from './reachable-addresses.ts';

/** Where a policy is fetched from, and how long that may take. */
export interface StsFetch extends Reach {
  /** 443, except in tests. */
  port: number;
  /** Time limit for everything: look-ups, connection, handshake and text. */
  deadlineMs: number;
}

/**
 * Fetches the policy of a domain (in ASCII) from `mta-sts.<domain>` (RFC 8461 3.3): no redirects, a
 * certificate of that name, bounds on time and size, and only from addresses of the Internet.
 * @throws Error that says what went wrong
 */
export async function fetchStsPolicy(domain: string, options: StsFetch): Promise<StsPolicy> {
  const host = `mta-sts.${domain}`;
  const signal = AbortSignal.timeout(options.deadlineMs);
  const find = async (): Promise<Buffer> => {
    const addresses = await findReachableAddresses(host, options);
    return await read(host, addresses, { port: options.port, signal });
  };
  // The signal ends the request; look-ups have time limits of their own, but longer ones
  const late = () => new Error('the policy host took too long');
  return parseStsPolicy(await withDeadline(find(), options.deadlineMs, late));
}

function read(
  host: string,
  addresses: readonly string[],
  { port, signal }: { port: number; signal: AbortSignal },
): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const asked = request({
    host,
    port,
    path: '/.well-known/mta-sts.txt',
    servername: host,
    lookup: lookUpAs(addresses),
    checkServerIdentity: checkNames,
    // A connection of its own: it must not reuse one whose certificate was checked in another way
    agent: false,
    signal,
  });
  asked.on('error', reject);
  asked.on('response', (response) => {
    takeText(response)
      .then(resolve, reject)
      .finally(() => asked.destroy());
  });
  asked.end();
  return promise;
}

async function takeText(response: IncomingMessage): Promise<Buffer> {
  if (response.statusCode !== 200) throw new Error(`the policy host answered with status ${response.statusCode}`);
  const [type = ''] = (response.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'text/plain') throw new Error('the policy is not text/plain');
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > mostPolicyBytes) throw new Error('the policy is too long');
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/**
 * Only the alternative names of a certificate count, and a star is a whole label (RFC 8461 3.3 and
 * 4.2, RFC 6125 6.4). For `checkServerIdentity` of node:tls, after the chain was found valid.
 */
export function checkNames(host: string, { raw }: Pick<PeerCertificate, 'raw'>): Error | undefined {
  const found = new X509Certificate(raw).checkHost(host, { subject: 'never', partialWildcards: false });
  return found === undefined ? new Error(`the certificate is not one of ${host}`) : undefined;
}
