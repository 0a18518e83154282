import { asciiDomain } from '@selvage/core/mail/addresses';
import type { MailHost } from '@selvage/core/dns/mail-hosts';
import { isNamedByPolicy } from '@selvage/core/dns/mta-sts-policy';
import { type DnsResolver, dnsProblem, type TlsaRecord } from '@selvage/core/dns/resolver';
import { type Outcome, policyFailure } from './outcome.ts';
import { type DaneProof, usableRecords } from './prove-dane.ts';
import type { Proof } from './session-options.ts';
import type { HeldPolicy } from './sts-policies.ts';

/*
 * What a domain demands of the connection to each of its mail hosts (D37):
 *
 *   TLSA records that DNSSEC proves --- usable ---> TLS, and the certificate matches one (DANE)
 *    |  none, or none usable
 *    v
 *   MTA-STS policy --- enforce ---> TLS, a valid certificate, and only hosts that it names
 *    |  testing, none, no policy
 *    v
 *   TLSA records, none usable ---> TLS
 *    |  none
 *    v
 *   TLS where it is offered
 */

/** How a mail host may be used, or the outcome when it may not be used now. */
export type Demand = { kind: 'use'; proof: Proof | null } | { kind: 'leave'; outcome: Outcome };

/** The domain of the recipients, its MTA-STS policy, and the port to connect to. */
export interface Destination {
  domain: string;
  held: HeldPolicy;
  port: number;
}

/** What the domain demands of a mail host. Never throws. */
export async function demandOf(
  resolver: Pick<DnsResolver, 'provable'>,
  host: MailHost,
  { domain, held, port }: Destination,
): Promise<Demand> {
  const found = await findRecords(resolver, host, port);
  if (found === 'unknown') {
    // RFC 7672 2.1.1: an attacker could have made the name server silent
    const reply = `451 4.4.3 the name server did not answer for the TLSA records of ${host.host}`;
    return { kind: 'leave', outcome: { kind: 'next_server', reason: 'dns_failure', reply, host: null } };
  }
  const records = usableRecords(found.records);
  if (records.length > 0) {
    const { base } = found;
    const names: DaneProof['names'] = [base, host.host, asciiDomain(domain) ?? base];
    return { kind: 'use', proof: { by: 'dane', records, names } };
  }
  const demand = demandOfPolicy(host, held);
  // RFC 7672 2.2: TLSA records promise TLS, even when none of them is usable
  const isSilent = demand.kind === 'use' && demand.proof === null && found.records.length > 0;
  return isSilent ? { kind: 'use', proof: { by: 'nothing' } } : demand;
}

function demandOfPolicy({ host }: MailHost, held: HeldPolicy): Demand {
  if (held.kind === 'unsure') {
    return { kind: 'leave', outcome: policyFailure(host, 'what the domain demands of TLS is not known now') };
  }
  if (held.kind === 'none' || held.policy.mode !== 'enforce') return { kind: 'use', proof: null };
  if (isNamedByPolicy(held.policy, host)) return { kind: 'use', proof: { by: 'mta_sts' } };
  return {
    kind: 'leave',
    outcome: policyFailure(host, 'the policy of the domain (MTA-STS) does not name this server'),
  };
}

/**
 * The TLSA records of a host, if DNSSEC proves them, and the name that has them (RFC 7672 2.2.3).
 */
async function findRecords(
  { provable }: Pick<DnsResolver, 'provable'>,
  { host, addressName, isProved }: MailHost,
  port: number,
): Promise<{ base: string; records: TlsaRecord[] } | 'unknown'> {
  if (!provable || !isProved) return { base: host, records: [] };
  for (const base of new Set([addressName, host])) {
    try {
      const { records, isProved: isBelieved } = await provable.tlsa(`_${port}._tcp.${base}`);
      if (isBelieved) return { base, records };
    } catch (error) {
      if (dnsProblem(error) === 'temporary') return 'unknown';
    }
  }
  return { base: host, records: [] };
}
