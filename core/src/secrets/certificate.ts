import { createPrivateKey, X509Certificate } from 'node:crypto';
import { lstatSync, mkdirSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import { log } from '../log.ts';
import { hourMs } from '../utc-day.ts';
import { publishOnce, readIfThere, replaceFile } from './published-file.ts';
import { isDueForRenewal, makeSelfSigned } from './self-signed-certificate.ts';

/** A private key and its certificate chain, PEM. */
export interface Certificate {
  key: string;
  cert: string;
}

/** The host that the certificate is for, and the directory that holds its files. */
interface TlsConfig {
  dataDir: string;
  hostname: string;
}

/** Thrown when the files of a certificate can't be used, with a sentence for the operator. */
export class CertificateError extends Error {}

const pollMs = 60_000;
const settleMs = 200;
const renewalMs = hourMs;

/**
 * The certificate under SELVAGE_DATA/tls. If there is none, a self-signed one is made, and one that
 * was made here is renewed before its end. Processes that start at once agree on one.
 *
 * @throws CertificateError if the files there can't be used
 */
export async function ensureCertificate(config: TlsConfig): Promise<Certificate> {
  const directory = tlsDirectory(config);
  const found = readPair(directory);
  if (found !== null) return (await renewSelfSigned(config)) ?? found;
  refuseUnfitFiles(directory);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  // The key decides which process was first; the certificate is made for the key that won
  const made = await makeSelfSigned(config.hostname);
  publishOnce(join(directory, 'key.pem'), made.key, 0o600);
  const key = readFileSync(join(directory, 'key.pem'), 'utf8');
  const cert = key === made.key ? made.cert : await certify(config, key);
  publishOnce(join(directory, 'cert.pem'), cert, 0o644);
  const pair = readPair(directory);
  if (pair === null) throw new Error(`no certificate in ${directory}`);
  return pair;
}

/**
 * A certificate for a key that is there without one: a start was cut off, or the operator has put
 * the key there.
 */
async function certify(config: TlsConfig, key: string): Promise<string> {
  try {
    return (await makeSelfSigned(config.hostname, key)).cert;
  } catch (cause) {
    const problem = `there is a key.pem in ${tlsDirectory(config)}, but no cert.pem, and the host can make none for this key`;
    throw new CertificateError(`${problem}: put its certificate beside it, or take the key away`, { cause });
  }
}

/**
 * Renews the self-signed certificate when its end is near. Its key stays, since a TLSA record may
 * name it. Returns the new pair, or null when nothing is renewed. A disk that can't be written
 * closes no door: the old certificate goes on.
 */
async function renewSelfSigned(config: TlsConfig): Promise<Certificate | null> {
  const directory = tlsDirectory(config);
  const path = join(directory, 'cert.pem');
  try {
    const old = readPair(directory);
    // A link is the operator's, as is what it leads to
    if (old === null || isLink(path) || !isDueForRenewal(old.cert)) return null;
    const { cert } = await makeSelfSigned(config.hostname, old.key);
    // The operator may have put a pair there meanwhile
    const now = readPair(directory);
    if (now?.cert !== old.cert || now.key !== old.key) return null;
    replaceFile(path, cert, 0o644);
    return readPair(directory);
  } catch (error) {
    log.warn(`the self-signed certificate in ${path} could not be renewed`, { error });
    return null;
  }
}

/**
 * Refuses files of the operator beside which no pair can be made: a link that leads nowhere, and a
 * certificate without its key, which a newly made key would not match.
 */
function refuseUnfitFiles(directory: string): void {
  for (const path of [join(directory, 'key.pem'), join(directory, 'cert.pem')])
    if (isDeadLink(path)) throw new CertificateError(`${path} is a link to a file that does not exist`);
  // A process that makes a pair now puts the key there first
  if (readIfThere(join(directory, 'cert.pem')) === null || readIfThere(join(directory, 'key.pem')) !== null) return;
  throw new CertificateError(`there is a cert.pem in ${directory}, but no key.pem: put its private key beside it`);
}

function isDeadLink(path: string): boolean {
  return isLink(path) && readIfThere(path) === null;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** Until when the certificate is valid, without making one; null where there is none. */
export function readCertificateEnd(config: TlsConfig): { validTo: Date; isSelfSigned: boolean } | null {
  const text = readIfThere(join(tlsDirectory(config), 'cert.pem'));
  if (text === null) return null;
  const certificate = new X509Certificate(text);
  return { validTo: certificate.validToDate, isSelfSigned: certificate.issuer === certificate.subject };
}

/**
 * Calls `onChange` when another valid pair lies in the directory, so that a renewed certificate
 * needs no restart. While only one of the two files is new, nothing happens. A self-signed
 * certificate is renewed here before its end. Call it after `ensureCertificate`.
 */
export function watchCertificate(config: TlsConfig, onChange: (certificate: Certificate) => void): { close(): void } {
  const directory = tlsDirectory(config);
  let known = readNow(directory);
  let settling: NodeJS.Timeout | undefined;
  const look = (): void => {
    try {
      const pair = readPair(directory);
      if (pair === null) return;
      const now = pair.cert + pair.key;
      if (now === known) return;
      known = now;
      log.info('certificate changed', { validTo: new X509Certificate(pair.cert).validTo });
      onChange(pair);
    } catch (error) {
      log.warn('the certificate on disk cannot be used, the old one stays', { error });
    }
  };
  const lookSoon = (): void => {
    clearTimeout(settling);
    settling = setTimeout(look, settleMs).unref();
  };
  const watcher = watch(directory, { persistent: false }, lookSoon);
  watcher.on('error', (error) => log.warn('the certificate folder cannot be watched, it is polled', { error }));
  // Network file systems and replaced folders send no events
  const poll = setInterval(look, pollMs).unref();
  const renewal = setInterval(() => void renewSelfSigned(config).then(look), renewalMs).unref();
  return {
    close: () => {
      watcher.close();
      clearInterval(poll);
      clearInterval(renewal);
      clearTimeout(settling);
    },
  };
}

/**
 * The pair that the caller has just loaded. It is read synchronously, so that a change right after
 * the call is seen.
 */
function readNow(directory: string): string {
  return readFileSync(join(directory, 'cert.pem'), 'utf8') + readFileSync(join(directory, 'key.pem'), 'utf8');
}

function tlsDirectory(config: TlsConfig): string {
  return join(config.dataDir, 'tls');
}

function readPair(directory: string): Certificate | null {
  const key = readIfThere(join(directory, 'key.pem'));
  const cert = readIfThere(join(directory, 'cert.pem'));
  if (key === null || cert === null) return null;
  const certificate = parse(join(directory, 'cert.pem'), 'certificate in PEM', () => new X509Certificate(cert));
  const secret = parse(join(directory, 'key.pem'), 'private key in PEM without a passphrase', () =>
    createPrivateKey(key),
  );
  if (!certificate.checkPrivateKey(secret))
    throw new CertificateError(`key.pem and cert.pem in ${directory} do not belong together`);
  createSecureContext({ key, cert });
  return { key, cert };
}

function parse<T>(path: string, what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new CertificateError(`${path} is no ${what}`, { cause });
  }
}
