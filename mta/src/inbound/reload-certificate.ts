import type { Certificate } from '@selvage/core/secrets/certificate';
import { loadTls } from './haraka.ts';

/** Shows a new certificate to new connections. Open connections keep theirs. */
export function reloadCertificate({ key, cert }: Certificate): void {
  const tls = loadTls();
  const options = tls.certsByHost['*'];
  if (!options) throw new Error('Haraka has no TLS settings yet');
  // Clients without SNI get these options. Clients with SNI get the context that is loaded from
  // them
  options.key = [Buffer.from(key)];
  options.cert = [Buffer.from(cert)];
  tls.load_default_opts();
}
