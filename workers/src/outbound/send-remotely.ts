import { isIPv4 } from 'node:net';
import { type MailHost, resolveMailHosts } from '@selvage/core/dns/mail-hosts';
import { isPublicAddress } from '@selvage/core/dns/public-address';
import type { DnsResolver } from '@selvage/core/dns/resolver';
import { domainOf } from '@selvage/core/mail/address-rules';
import type { App } from '@selvage/core/context/app';
import type { Config } from '@selvage/core/process/config';
import type { Outcome } from './outcome.ts';
import { type OwnIpv6, toAsk } from './own-ipv6.ts';
import type { SmtpPool } from './smtp-pool.ts';
import type { SessionOptions, SmtpTimeouts } from './session-options.ts';
import type { Envelope } from './smtp-session.ts';
import type { StsPolicies } from './sts-policies.ts';
import { demandOf, type Destination } from './tls-demands.ts';

/** What a transfer needs of the process. */
export interface SendMeans {
  config: Pick<
    Config,
    | 'hostname'
    | 'smtpPort'
    | 'bindAddress'
    | 'outboundSmtpPort'
    | 'outboundRelay'
    | 'outboundTimeoutSeconds'
    | 'outboundJudgementSeconds'
    | 'outboundAllowPrivate'
    | 'mtaStsPort'
  >;
  resolver: DnsResolver;
  redis: Pick<App['redis'], 'set' | 'mget'>;
  pool: SmtpPool;
  policies: StsPolicies;
  ownIpv6: Pick<OwnIpv6, 'isFirst'>;
  /** Whether an earlier attempt at one of the recipients has failed. */
  isRetry: boolean;
}

/**
 * The most addresses that one transfer tries: a domain with a hundred mail hosts must not occupy a
 * transfer for an hour.
 */
const mostAddresses = 10;
/** A transfer that has taken this long tries no further address. */
const mostMs = 600_000;

/**
 * The result for one recipient. The kind of its outcome is never `next_server` or
 * `next_transaction`.
 */
export interface Sent {
  to: string;
  outcome: Outcome;
}

/**
 * Sends one message to recipients of one domain: to the smarthost if there is one, else to the
 * domain's mail hosts. Tries one address after the other until each recipient was taken or refused.
 * Yields the results of each transaction, so that the caller can record them before the next one
 * begins.
 */
export async function* sendRemotely(means: SendMeans, envelope: Envelope): AsyncGenerator<Sent[]> {
  const relay = relayOptions(means);
  if (relay) return yield* tryServers(means, [relay], envelope);
  const domain = domainOf(envelope.to[0] ?? '');
  const [route, held] = await Promise.all([findHosts(means, domain), means.policies.find(means, domain)]);
  const port = means.config.outboundSmtpPort;
  const servers = Array.isArray(route) ? await serversOf(means, route, { domain, held, port }) : route;
  if (!Array.isArray(servers)) return yield envelope.to.map((to) => ({ to, outcome: deferOpen(servers) }));
  yield* tryServers(means, servers, envelope);
}

/**
 * The servers to try, in their order, each with what the domain demands of its TLS; the session
 * checks that. Hosts that the domain rules out are left out. If all are, it gives the outcome of
 * the first.
 */
async function serversOf(
  means: SendMeans,
  hosts: MailHost[],
  destination: Destination,
): Promise<SessionOptions[] | Outcome> {
  const { config, resolver, isRetry } = means;
  const demands = await Promise.all(
    hosts.map(async (host) => ({ host, demand: await demandOf(resolver, host, destination) })),
  );
  const ways = demands.flatMap(({ host: { host, addresses }, demand }) =>
    demand.kind === 'use' ? addresses.map((address) => ({ host, address, proof: demand.proof })) : [],
  );
  const left = demands.flatMap(({ demand }) => (demand.kind === 'leave' ? [demand.outcome] : []));
  if (ways.length === 0 && left[0]) return left[0];
  return ways.slice(0, mostAddresses).map(({ host, address, proof }) => ({
    address,
    serverName: host,
    port: config.outboundSmtpPort,
    clientName: config.hostname,
    timeouts: timeoutsOf(config, isRetry),
    ...(proof ? { tls: 'required', proof } : { tls: 'opportunistic' }),
  }));
}

async function* tryServers(
  means: SendMeans,
  servers: readonly SessionOptions[],
  envelope: Envelope,
): AsyncGenerator<Sent[]> {
  /** Recipients without a final outcome, each with its most informative outcome so far. */
  const open = new Map<string, Outcome>(envelope.to.map((to) => [to, noAddress]));
  const startedAt = performance.now();
  for (const server of servers) {
    let offered = [...open.keys()];
    while (offered.length > 0) {
      const outcomes = await means.pool.send(server, { ...envelope, to: offered });
      const sent = offered.flatMap((to, index) => ({ to, outcome: outcomes[index] ?? noAddress }));
      const ended = sent.filter(({ outcome }) => outcome.kind !== 'next_server' && outcome.kind !== 'next_transaction');
      for (const { to, outcome } of sent) remember(open, to, outcome, server.address);
      for (const { to } of ended) open.delete(to);
      if (ended.length > 0) yield ended;
      // RFC 5321 4.5.3.1.10: recipients for whom this transaction had no room go into the next one
      offered = sent.filter(({ outcome }) => outcome.kind === 'next_transaction').map(({ to }) => to);
    }
    if (open.size === 0) return;
    if (performance.now() - startedAt > mostMs) break;
  }
  yield [...open].map(([to, outcome]) => ({ to, outcome: deferOpen(outcome) }));
}

/** How much a reason tells the sender; 0 for all others. */
const telling: Partial<Record<Outcome['reason'], number>> = { remote_deferred: 2, tls_policy: 1 };

/**
 * Keeps the more informative of two outcomes of a recipient. The reply of a server tells the sender
 * more than that another server could not be reached.
 */
function remember(open: Map<string, Outcome>, to: string, outcome: Outcome, address: string): void {
  const before = open.get(to);
  if (before && (telling[outcome.reason] ?? 0) < (telling[before.reason] ?? 0)) return;
  open.set(to, { ...outcome, reply: `${outcome.reply} [${address}]` });
}

const noAnswer: Outcome = {
  kind: 'deferred',
  reason: 'dns_failure',
  reply: '451 4.4.3 the name server did not answer',
  host: null,
};

/** The mail hosts of the domain that may be tried; or the outcome when there are none. */
async function findHosts(means: SendMeans, domain: string): Promise<MailHost[] | Outcome> {
  const found = await resolveMailHosts(means.resolver, domain);
  const about = { host: null };
  switch (found.kind) {
    case 'null_mx':
      // RFC 7505 3
      return { kind: 'refused', reason: 'null_mx', reply: '556 5.1.10 the domain takes no mail', ...about };
    case 'no_such_domain':
      return { kind: 'refused', reason: 'no_such_domain', reply: '550 5.1.2 there is no such domain', ...about };
    case 'no_host':
      // An administrator may be changing the domain's records, so the sender gets a bounce only
      // when the retries end
      return deferOpen(noAddress);
    case 'temporary':
      return noAnswer;
    case 'hosts': {
      // RFC 5321 5.1: a mail host that is not preferred to this one would only hand the message
      // back
      const self = found.hosts.find((host) => isOurselves(means.config, host));
      const others = self ? found.hosts.filter(({ preference }) => preference < self.preference) : found.hosts;
      if (others.length === 0) {
        // A host that could not be looked up may be preferred to this one
        if (found.isPartial) return noAnswer;
        const reply = '554 5.4.6 the domain points here but is not hosted here';
        return { kind: 'refused', reason: 'loop', reply, ...about };
      }
      return await reachable(means, { ...found, hosts: others });
    }
  }
}

/** The hosts with the addresses to try, or the outcome when that can't be known now. */
async function reachable(
  means: SendMeans,
  found: { hosts: MailHost[]; isPartial: boolean; mayLackIpv4: boolean },
): Promise<MailHost[] | Outcome> {
  const hosts = followable(means, found);
  if (!Array.isArray(hosts)) return hosts;
  const isIpv6First = await means.ownIpv6.isFirst(means);
  const asked = toAsk(hosts, isIpv6First);
  const hasIpv4 = asked.some(({ addresses }) => addresses.some((address) => isIPv4(address)));
  // A server may refuse for good by IPv6 what it would take by IPv4
  return found.mayLackIpv4 && !isIpv6First && !hasIpv4 ? noAnswer : asked;
}

/**
 * The hosts without their private addresses. Otherwise a stranger's name server could make this
 * host connect to machines that only its own network can reach.
 */
function followable(means: SendMeans, found: { hosts: MailHost[]; isPartial: boolean }): MailHost[] | Outcome {
  if (means.config.outboundAllowPrivate) return found.hosts;
  const hosts = found.hosts
    .map((host) => ({ ...host, addresses: host.addresses.filter(isPublicAddress) }))
    .filter(({ addresses }) => addresses.length > 0);
  if (hosts.length > 0) return hosts;
  if (found.isPartial) return noAnswer;
  const reply = '554 5.4.4 every mail host of the domain has a private address';
  return { kind: 'refused', reason: 'private_address', reply, host: null };
}

function isOurselves(config: SendMeans['config'], host: MailHost): boolean {
  const port = config.outboundSmtpPort;
  const isOurName = host.host === config.hostname && (port === config.smtpPort || port === 25);
  return isOurName || (port === config.smtpPort && host.addresses.includes(config.bindAddress));
}

function relayOptions({ config, isRetry }: Pick<SendMeans, 'config' | 'isRetry'>): SessionOptions | null {
  const relay = config.outboundRelay;
  if (!relay) return null;
  const credentials = relay.username && relay.password ? { user: relay.username, password: relay.password } : null;
  return {
    address: relay.host,
    serverName: relay.host,
    port: relay.port,
    clientName: config.hostname,
    timeouts: timeoutsOf(config, isRetry),
    // A password is never sent in the clear, nor to a server that cannot prove its name
    tls: relay.secure ? 'implicit' : credentials ? 'required' : 'opportunistic',
    ...(credentials && { credentials }),
  };
}

/**
 * The timeouts of an attempt. RFC 5321 4.5.3.2: some servers take minutes to greet and to answer a
 * command. A first attempt does not wait that long, since it would keep mail to other domains
 * waiting for a free transfer.
 */
function timeoutsOf(config: SendMeans['config'], isRetry: boolean): SmtpTimeouts {
  const reply = config.outboundTimeoutSeconds * 1000;
  const patience = isRetry ? reply * 5 : reply;
  const judgement = config.outboundJudgementSeconds * 1000;
  const connect = Math.min(reply, 30_000);
  return { connect, greeting: patience, silence: patience, judgement, message: reply * 10 };
}

const noAddress: Outcome = {
  kind: 'next_server',
  reason: 'no_mail_host',
  reply: '451 4.4.4 the mail host has no address',
  host: null,
};

/** Makes an outcome without an answer a deferral, so that the retry schedule decides. */
function deferOpen(outcome: Outcome): Outcome {
  return outcome.kind === 'next_server' || outcome.kind === 'next_transaction'
    ? { ...outcome, kind: 'deferred' }
    : outcome;
}
