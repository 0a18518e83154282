import { createHash, X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { TlsaRecord } from '@selvage/core/dns/resolver';

/** What DANE demands of a server's certificate (RFC 7672 3). */
export interface DaneProof {
  by: 'dane';
  /** The usable records, at least one. The certificate has to match one of them. */
  records: readonly TlsaRecord[];
  /**
   * The names of which a certificate below a trust anchor must have one (RFC 7672 3.2.2). The TLSA
   * records belong to the first name.
   */
  names: readonly [string, ...string[]];
}

const anchorUsage = 2;
const serverUsage = 3;
/** The length of a digest in hexadecimal digits, by the matching type (RFC 6698 2.1.3). */
const digestDigits: Record<number, number> = { 1: 64, 2: 128 };
/**
 * The most records of a server that are used. An honest server has a few, and each costs a
 * comparison.
 */
const mostRecords = 50;
const longestChain = 8;
const serverAuthentication = '1.3.6.1.5.5.7.3.1';

/** The records that a mail server's certificate can match (RFC 7672 3.1). */
export function usableRecords(records: readonly TlsaRecord[]): TlsaRecord[] {
  return records.filter(isUsable).slice(0, mostRecords);
}

function isUsable({ usage, selector, matchingType, data }: TlsaRecord): boolean {
  const isKnown = (usage === anchorUsage || usage === serverUsage) && (selector === 0 || selector === 1);
  const isWhole = matchingType === 0 ? data !== '' : data.length === digestDigits[matchingType];
  return isKnown && isWhole;
}

/** Why the certificate of a server does not match its TLSA records; null when it does. */
export function daneProblem(socket: TLSSocket, proof: DaneProof): string | null {
  try {
    return problemOf(socket, proof);
  } catch (error) {
    // OpenSSL can't work with every key that a certificate may have
    return `the certificate can't be judged: ${error instanceof Error ? error.message : 'unknown'}`;
  }
}

function problemOf(socket: TLSSocket, proof: DaneProof): string | null {
  const [leaf, ...issuers] = chainOf(socket);
  if (!leaf) return 'the server has no certificate';
  // RFC 7672 3.1.1: with usage 3, neither the names nor the dates of the certificate count
  if (matches(proof.records, serverUsage, leaf)) return null;
  const problem = anchorProblem([leaf, ...issuers, ...anchorsIn(proof.records)], proof);
  return problem === null ? null : `the certificate does not match the TLSA records (${problem})`;
}

/**
 * The server's certificate, and then its issuers: those that the server sent, and those that this
 * machine knows.
 */
function chainOf(socket: TLSSocket): X509Certificate[] {
  const chain: X509Certificate[] = [];
  // Node returns an empty object when there is no certificate
  let one: Partial<DetailedPeerCertificate> | undefined = socket.getPeerCertificate(true);
  while (one?.raw && chain.length < longestChain) {
    chain.push(new X509Certificate(one.raw));
    // A self-signed certificate is its own issuer
    one = one.issuerCertificate === one ? undefined : one.issuerCertificate;
  }
  return chain;
}

/**
 * The trust anchors whose records contain the whole certificate. The server need not send these
 * (RFC 7671 5.2.2).
 */
function anchorsIn(records: readonly TlsaRecord[]): X509Certificate[] {
  return records
    .filter(({ usage, selector, matchingType }) => usage === anchorUsage && selector === 0 && matchingType === 0)
    .flatMap(({ data }) => certificateIn(Buffer.from(data, 'hex')) ?? []);
}

function certificateIn(bytes: Buffer): X509Certificate | null {
  try {
    return new X509Certificate(bytes);
  } catch {
    // A record may contain any bytes. Those that are no certificate match nothing
    return null;
  }
}

/**
 * Climbs from the server's certificate through its issuers until one of them matches an anchor (RFC
 * 7672 3.1.2). Returns the problem, or null.
 */
function anchorProblem(known: readonly X509Certificate[], { records, names }: DaneProof): string | null {
  let [current] = known;
  const leaf = current;
  for (let steps = 0; current && leaf && steps < longestChain; steps += 1) {
    if (!isCurrent(current)) return 'out of date';
    const below: X509Certificate = current;
    const issuer = known.find((one) => one !== below && hasIssued(one, below));
    if (issuer && matches(records, anchorUsage, issuer)) return leafProblem(leaf, names);
    current = issuer;
  }
  return 'no match';
}

/** Checks the signature too, since node:tls builds the chain by names alone. */
function hasIssued(issuer: X509Certificate, subject: X509Certificate): boolean {
  return issuer.ca && subject.checkIssued(issuer) && subject.verify(issuer.publicKey);
}

function leafProblem(leaf: X509Certificate, names: readonly string[]): string | null {
  const usages = leaf.keyUsage as string[] | undefined;
  if (usages && !usages.includes(serverAuthentication)) return 'not for servers';
  const isNamed = names.some((name) => leaf.checkHost(name, { partialWildcards: false }) !== undefined);
  return isNamed ? null : 'another name';
}

function isCurrent({ validFromDate, validToDate }: X509Certificate, now = Date.now()): boolean {
  return validFromDate.getTime() <= now && now <= validToDate.getTime();
}

function matches(records: readonly TlsaRecord[], usage: number, certificate: X509Certificate): boolean {
  return records.some((record) => record.usage === usage && record.data === dataOf(certificate, record));
}

/** The data of a TLSA record that matches a certificate (RFC 6698 2.1). */
function dataOf(certificate: X509Certificate, { selector, matchingType }: TlsaRecord): string {
  const bytes = selector === 0 ? certificate.raw : certificate.publicKey.export({ type: 'spki', format: 'der' });
  if (matchingType === 0) return bytes.toString('hex');
  return createHash(matchingType === 1 ? 'sha256' : 'sha512')
    .update(bytes)
    .digest('hex');
}
