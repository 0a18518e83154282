import type { App } from '@selvage/core/context/app';
import { dnsProblem } from '@selvage/core/dns/resolver';
import { unavailable } from '@selvage/core/errors';

/**
 * Says whether the DNS leads a name to this host. For any other name the authority refuses a
 * certificate. An attacker who connects under many such names would make the proxy ask for all of
 * them, and so use up the requests that the authority allows this host.
 * @throws {AppError} 503 when no name server answers
 */
export async function leadsHere(app: App, name: string): Promise<boolean> {
  const [own, host] = await Promise.all([addressesOf(app, name), addressesOf(app, app.config.hostname)]);
  return own.some((address) => host.includes(address));
}

async function addressesOf({ resolver }: App, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([resolver.a(name), resolver.aaaa(name)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const isSilent = answers.some((answer) => answer.status === 'rejected' && dnsProblem(answer.reason) === 'temporary');
  if (addresses.length === 0 && isSilent) throw unavailable(`no name server answered for ${name}`);
  return addresses;
}
