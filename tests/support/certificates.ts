import { createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, X509Certificate } from 'node:crypto';
import forge from 'node-forge';

/** A certificate with its key, both PEM. */
export interface KeyAndCertificate {
  key: string;
  cert: string;
}

/** Properties of a certificate besides its name. */
interface Wishes {
  /** The certificate whose key signs this one. Self-signed if absent. */
  by?: KeyAndCertificate;
  isAuthority?: boolean;
  isExpired?: boolean;
  /** The private key to use (PEM), since making one is slow. */
  key?: string;
}

const dayMs = 86_400_000;

/** Makes a certificate for a name: of an authority, signed by an authority, or self-signed. */
export function makeCertificate(
  name: string,
  { by, isAuthority = false, isExpired, key = newKey() }: Wishes = {},
): KeyAndCertificate {
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(
    createPublicKey(key).export({ type: 'spki', format: 'pem' }) as string,
  );
  certificate.serialNumber = `01${randomBytes(8).toString('hex')}`;
  certificate.validity.notBefore = new Date(Date.now() - 10 * dayMs);
  certificate.validity.notAfter = new Date(Date.now() + (isExpired ? -dayMs : 10 * dayMs));
  const subject = [{ name: 'commonName', value: name }];
  certificate.setSubject(subject);
  certificate.setIssuer(by ? forge.pki.certificateFromPem(by.cert).subject.attributes : subject);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: isAuthority, critical: true },
    ...(isAuthority
      ? [{ name: 'keyUsage', keyCertSign: true, critical: true }]
      : [{ name: 'subjectAltName', altNames: [{ type: 2, value: name }] }]),
  ]);
  // forge reads PKCS#1 only
  const signingKey = createPrivateKey(by?.key ?? key).export({ type: 'pkcs1', format: 'pem' }) as string;
  certificate.sign(forge.pki.privateKeyFromPem(signingKey), forge.md.sha256.create());
  return { key, cert: forge.pki.certificateToPem(certificate).replaceAll('\r\n', '\n') };
}

function newKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/**
 * The bytes of a certificate or of its public key, which a TLSA record with full matching contains.
 */
export function bytesOf({ cert }: KeyAndCertificate, part: 'certificate' | 'key' = 'certificate'): Buffer {
  if (part === 'certificate') return new X509Certificate(cert).raw;
  return createPublicKey(cert).export({ type: 'spki', format: 'der' });
}

/** A certificate with those of its issuers behind it, as a server sends them. */
export function withChain(leaf: KeyAndCertificate, ...issuers: KeyAndCertificate[]): KeyAndCertificate {
  return { key: leaf.key, cert: [leaf, ...issuers].map(({ cert }) => cert).join('') };
}
