import { type MailHost, resolveMailHosts } from '@selvage/core/dns/mail-hosts';
import type { DnsResolver } from '@selvage/core/dns/resolver';
import { domainOf } from '@selvage/core/mail/addresses';
import type { Config } from '@selvage/core/process/config';
import type { Outcome } from './outcome.ts';
import type { SmtpPool } from './smtp-pool.ts';
import type { Envelope, SessionOptions, SmtpTimeouts } from './smtp-session.ts';

/** What sending needs of the process. */
export interface Way {
  config: Pick<
    Config,
    'hostname' | 'smtpPort' | 'bindAddress' | 'outboundSmtpPort' | 'outboundRelay' | 'outboundTimeoutSeconds'
  >;
  resolver: DnsResolver;
  pool: SmtpPool;
}

/** A domain with a hundred exchangers must not hold a worker for an hour. */
const mostAddresses = 10;

/**
 * Sends one message to one recipient: to the smarthost if there is one, else to the recipient's
 * mail hosts. Their addresses are tried one after the other until one accepts or refuses the
 * message. The result is never `unreachable`.
 */
export async function sendRemotely(way: Way, envelope: Envelope): Promise<Outcome> {
  const relay = relayOptions(way.config);
  if (relay) return settled(await way.pool.send(relay, envelope));
  const domain = domainOf(envelope.to);
  const route = await findHosts(way, domain);
  return Array.isArray(route) ? await tryHosts(way, route, envelope) : route;
}

async function tryHosts(way: Way, hosts: MailHost[], envelope: Envelope): Promise<Outcome> {
  const ways = hosts.flatMap(({ host, addresses }) => addresses.map((address) => ({ host, address })));
  let last: Outcome | null = null;
  for (const { host, address } of ways.slice(0, mostAddresses)) {
    const options: SessionOptions = {
      address,
      serverName: host,
      port: way.config.outboundSmtpPort,
      clientName: way.config.hostname,
      timeouts: timeoutsOf(way.config),
      tls: 'opportunistic',
    };
    const outcome = await way.pool.send(options, envelope);
    if (outcome.kind !== 'unreachable') return outcome;
    // The reply of one server tells the sender more than that another could not be reached
    if (outcome.reason === 'remote_deferred' || last?.reason !== 'remote_deferred') {
      last = { ...outcome, reply: `${outcome.reply} [${address}]` };
    }
  }
  return settled(last ?? noAddress(hosts[0]?.host ?? ''));
}

/** The hosts to try, without this one; or the outcome when there are none. */
async function findHosts(way: Way, domain: string): Promise<MailHost[] | Outcome> {
  const found = await resolveMailHosts(way.resolver, domain);
  const about = { host: domain };
  switch (found.kind) {
    case 'null_mx':
      // RFC 7505 3
      return { kind: 'refused', reason: 'null_mx', reply: '556 5.1.10 the domain takes no mail', ...about };
    case 'no_such_domain':
      return { kind: 'refused', reason: 'no_such_domain', reply: '550 5.1.2 there is no such domain', ...about };
    case 'no_host':
      // An administrator may be changing the domain, so the sender hears of it only when the
      // retries end
      return settled(noAddress(domain));
    case 'temporary':
      return { kind: 'deferred', reason: 'dns_failure', reply: '451 4.4.3 the name server did not answer', ...about };
    case 'hosts': {
      // RFC 5321 5.1: hosts behind this one in the list would only hand the message back
      const self = found.hosts.findIndex((host) => isOurselves(way.config, host));
      const hosts = self < 0 ? found.hosts : found.hosts.slice(0, self);
      if (hosts.length > 0) return hosts;
      return {
        kind: 'refused',
        reason: 'loop',
        reply: '554 5.4.6 the domain points here but is not hosted here',
        ...about,
      };
    }
  }
}

function isOurselves(config: Way['config'], host: MailHost): boolean {
  const port = config.outboundSmtpPort;
  const isOurName = host.host === config.hostname && (port === config.smtpPort || port === 25);
  return isOurName || (port === config.smtpPort && host.addresses.includes(config.bindAddress));
}

function relayOptions(config: Way['config']): SessionOptions | null {
  const relay = config.outboundRelay;
  if (!relay) return null;
  const credentials = relay.username && relay.password ? { user: relay.username, password: relay.password } : null;
  return {
    address: relay.host,
    serverName: relay.host,
    port: relay.port,
    clientName: config.hostname,
    timeouts: timeoutsOf(config),
    // A password is never sent in the clear, nor to a server that cannot prove its name
    tls: relay.secure ? 'implicit' : credentials ? 'required' : 'opportunistic',
    ...(credentials && { credentials }),
  };
}

function timeoutsOf(config: Way['config']): SmtpTimeouts {
  const reply = config.outboundTimeoutSeconds * 1000;
  return { connect: Math.min(reply, 30_000), greeting: reply, silence: reply, message: reply * 10 };
}

function noAddress(host: string): Outcome {
  return { kind: 'unreachable', reason: 'no_mail_host', reply: '451 4.4.4 the mail host has no address', host };
}

/** When no server could be reached, the schedule decides when to try again. */
function settled(outcome: Outcome): Outcome {
  return outcome.kind === 'unreachable' ? { ...outcome, kind: 'deferred' } : outcome;
}
