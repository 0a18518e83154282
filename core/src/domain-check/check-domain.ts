import type { DnsCheck, DnsProblem } from '../contracts/domain-check.ts';
import { type WatchedPart, watchedParts } from '../contracts/domain-guard.ts';
import type { Ctx } from '../context/context.ts';
import { DkimKey } from '../models/dkim-key.ts';
import type { Domain } from '../models/domain.ts';
import { checkDkim, type OwnKey } from './check-dkim.ts';
import { checkDmarc } from './check-dmarc.ts';
import { checkMx } from './check-mx.ts';
import { checkReverse } from './check-reverse.ts';
import { checkSpf } from './check-spf.ts';
import { noAnswer, problemsOf } from './found.ts';
import { KnownServers } from './look-at-server.ts';
import { type DnsFailure, failureOf, Questions, recordsOf } from './questions.ts';

/** A check together with the facts behind it, for callers that say more than the check does. */
export interface Examined {
  check: DnsCheck;
  /** The keys of this host for the domain, the oldest first. */
  keys: readonly OwnKey[];
  /** The addresses that the DNS has for the name of this host. */
  hostAddresses: readonly string[];
  /** Questions that no name server has answered, as `TYPE name`. */
  silent: ReadonlySet<string>;
  /** Parts about which no name server has answered. */
  unanswered: ReadonlySet<WatchedPart>;
  /** Parts that may be good, but that could not be judged because name servers were silent. */
  unsure: ReadonlySet<WatchedPart>;
  /** The error that the name servers answered with; null when they gave none. */
  failure: DnsFailure | null;
}

/** Options of a check. */
export interface Checking {
  /** DKIM selectors to look at, beside those of the keys of this host. */
  selectors?: readonly string[];
  /**
   * What is known of mail servers. Several checks share it, since many domains name the same ones.
   */
  servers?: KnownServers;
  /** The questions of a caller that asks more than the check does; new ones by default. */
  questions?: Questions;
  /** Runs before the check, and may give the questions their answers. */
  prepare?: (questions: Questions) => Promise<void>;
}

/**
 * Checks what the DNS says of a domain and what that means for its mail. The parts are checked at
 * the same time. A part whose name servers don't answer says so itself.
 */
export async function checkDomain(
  ctx: Ctx,
  domain: Domain,
  {
    selectors = [],
    servers = new KnownServers(),
    questions = new Questions(ctx.app.config.dnsServers),
    prepare,
  }: Checking = {},
): Promise<Examined> {
  const { config } = ctx.app;
  const name = domain.domainName;
  const host = config.hostname;
  await prepare?.(questions);
  const [keys, hostAddresses] = await Promise.all([keysOf(ctx, domain), questions.addressesOf(host)]);
  // Mail that leaves by a smarthost has the smarthost's address
  const addresses = config.outboundRelay ? null : hostAddresses;
  const [zone, mx, spf, dmarc, dkim, reverse] = await Promise.all([
    readZone(questions, name),
    checkMx(questions, {
      domain: name,
      host,
      isProved: Boolean(domain.verifiedAt),
      smtpPort: config.outboundSmtpPort,
      mayProbePrivate: config.outboundAllowPrivate,
      blocklists: config.blocklists,
      servers,
    }),
    checkSpf(questions, {
      domain: name,
      host,
      addresses,
      relay: config.outboundRelaySpf,
    }),
    checkDmarc(questions, name),
    checkDkim(questions, { domain: name, selectors, keys }),
    checkReverse(ctx, questions, { domain, addresses: addresses ?? [] }),
  ]);
  const parts = [mx, spf, dmarc, dkim];
  const check = {
    domain: name,
    valid: parts.every(({ part }) => part.valid),
    dns: zone.dns,
    mx: mx.part,
    spf: spf.part,
    dmarc: dmarc.part,
    dkim: dkim.part,
    problems: [...zone.problems, ...parts.flatMap(({ problems }) => problems), ...reverse],
  };
  const found = { mx, spf, dmarc, dkim };
  const unanswered = new Set(watchedParts.filter((part) => found[part].isUnanswered));
  const unsure = new Set(watchedParts.filter((part) => found[part].isUnsure));
  return { check, keys, hostAddresses, silent: questions.silent, unanswered, unsure, failure: zone.failure };
}

/** The keys that this host has for a domain, the oldest first. */
async function keysOf(ctx: Ctx, { id }: Domain): Promise<OwnKey[]> {
  const order: [string, string][] = [['id', 'ASC']];
  const keys = await DkimKey.findAll({ where: { domainId: String(id) }, order, transaction: ctx.tx });
  return keys.map(({ selector, publicKey, isActive, retiredAt }, index) => ({
    selector,
    publicKey,
    isActive,
    // A key that waited when a newer one was made will never sign
    isRetired: retiredAt !== null || (!isActive && index < keys.length - 1),
  }));
}

interface Zone {
  dns: DnsCheck['dns'];
  problems: DnsProblem[];
  failure: DnsFailure | null;
}

const mostServers = 13;

/** The addresses of the name itself, the name servers of its zone, and the zone's SOA record. */
async function readZone(questions: Questions, name: string): Promise<Zone> {
  const [a, ns, soa] = await Promise.all([
    questions.ask('A', name),
    questions.ask('NS', name),
    questions.ask('SOA', name),
  ]);
  const servers = await Promise.all(
    recordsOf(ns)
      .slice(0, mostServers)
      .map(async ({ value, ttl }) => {
        const [address] = recordsOf(await questions.ask('A', value));
        return { name: value, ip: address?.value ?? null, ttl };
      }),
  );
  const isGone = [a, ns, soa].every((said) => said.kind === 'none' && !said.exists);
  const failure = failureOf(soa, ns, a);
  const isUnanswered = [a, ns, soa].every(({ kind }) => kind === 'unanswered');
  const [authority] = recordsOf(soa);
  const details = isGone
    ? `The domain ${name} does not exist in the DNS.`
    : isUnanswered
      ? noAnswer(failure)
      : 'The domain is in the DNS.';
  const dns = {
    a: recordsOf(a).map(({ value, ttl }) => ({ ip: value, ttl })),
    ns: servers,
    soa: authority ? { ...authority.value, ttl: authority.ttl } : null,
    details,
  };
  const problems = isGone || isUnanswered ? [problemsOf('dns')(details, null)] : [];
  return { dns, problems, failure };
}
