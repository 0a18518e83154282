import type { App } from '@selvage/core/context/app';
import { findHostAddresses, withoutProof } from '@selvage/core/dns/host-addresses';
import { unavailable } from '@selvage/core/errors';

/**
 * Whether a name resolves to this host. The certificate authority refuses a certificate for any
 * other name. An attacker who connects under many such names would make the proxy request
 * certificates for all of them, and so use up the requests that the authority allows this host.
 * @throws {AppError} 503 when no name server answers
 */
export async function leadsHere(app: App, name: string): Promise<boolean> {
  const [own, host] = await Promise.all([addressesOf(app, name), addressesOf(app, app.config.hostname)]);
  return own.some((address) => host.includes(address));
}

async function addressesOf({ resolver }: App, name: string): Promise<string[]> {
  const { addresses, problem } = await findHostAddresses(withoutProof(resolver), name);
  if (addresses.length === 0 && problem === 'temporary') throw unavailable(`no name server answered for ${name}`);
  return addresses;
}
