import type { Certificate } from '@selvage/core/secrets/certificate';
import { loadTls } from './haraka.ts';

/** Lets connections from now on see a new certificate; those that are open keep theirs. */
export function reloadCertificate({ key, cert }: Certificate): void {
  const tls = loadTls();
  const options = tls.certsByHost['*'];
  if (!options) throw new Error('Haraka has no TLS settings yet');
  // Options of a connection without SNI, then the context it hands out to those with
  options.key = [Buffer.from(key)];
  options.cert = [Buffer.from(cert)];
  tls.load_default_opts();
}
