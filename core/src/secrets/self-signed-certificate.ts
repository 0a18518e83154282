import { dayMs } from '../utc-day.ts';
import { createPrivateKey, createPublicKey, generateKeyPair, randomBytes, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { promisify } from 'node:util';
import forge from 'node-forge';

const validDays = 825;
/** It begins a day early, for peers whose clock is behind. */
const earlyDays = 1;
/** Long before the alerts in ops/metrics/alerts.yml. */
const renewalDays = 30;

/**
 * A self-signed server certificate for a host name and for this machine itself, with the given key
 * or a new RSA-2048 one.
 */
export async function makeSelfSigned(hostname: string, existingKey?: string): Promise<{ key: string; cert: string }> {
  const key = existingKey ?? (await makeKey());
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicPem(key));
  certificate.serialNumber = makeSerial();
  certificate.validity.notBefore = new Date(Date.now() - earlyDays * dayMs);
  certificate.validity.notAfter = new Date(Date.now() + validDays * dayMs);
  // A common name has at most 64 characters; clients look at the alternative names
  const subject = [{ name: 'commonName', value: hostname.slice(0, 64) }];
  certificate.setSubject(subject);
  certificate.setIssuer(subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: false, critical: true },
    { name: 'keyUsage', digitalSignature: true, keyEncipherment: true, critical: true },
    { name: 'extKeyUsage', serverAuth: true },
    { name: 'subjectAltName', altNames: alternativeNames(hostname) },
  ]);
  // forge reads PKCS#1 only
  const signingKey = createPrivateKey(key).export({ type: 'pkcs1', format: 'pem' }) as string;
  certificate.sign(forge.pki.privateKeyFromPem(signingKey), forge.md.sha256.create());
  return { key, cert: forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n') };
}

/**
 * Whether a certificate comes from `makeSelfSigned`, and ends soon or is not valid now because the
 * clock was wrong when it was made. One that the operator has signed differs in its names or in the
 * time that it is valid for.
 */
export function isDueForRenewal(cert: string): boolean {
  const { subject, issuer, validFromDate, validToDate } = new X509Certificate(cert);
  const [begin, end, now] = [validFromDate.getTime(), validToDate.getTime(), Date.now()];
  const days = Math.floor((end - begin) / dayMs);
  const isOwn = subject === issuer && /^CN=.*$/.test(subject) && days === earlyDays + validDays;
  return isOwn && (begin > now || end - now < renewalDays * dayMs);
}

async function makeKey(): Promise<string> {
  const pair = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
  return pair.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

function publicPem(key: string): string {
  return createPublicKey(key).export({ type: 'spki', format: 'pem' }) as string;
}

/** 16 random bytes whose first bit is clear: a serial number is positive. */
function makeSerial(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x01;
  return bytes.toString('hex');
}

function alternativeNames(hostname: string): { type: number; value?: string; ip?: string }[] {
  const dnsName = 2;
  const ipAddress = 7;
  const own = isIP(hostname) === 0 ? { type: dnsName, value: hostname } : { type: ipAddress, ip: hostname };
  const names = [own, { type: ipAddress, ip: '127.0.0.1' }];
  if (hostname !== 'localhost') names.push({ type: dnsName, value: 'localhost' });
  return names;
}
