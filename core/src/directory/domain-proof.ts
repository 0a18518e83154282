import { createHmac } from 'node:crypto';
import { literal, Op, UniqueConstraintError } from 'sequelize';
import { recordAuditOf } from '../access/audit.ts';
import type { App } from '../context/app.ts';
import { type Ctx, inTransaction, type TxCtx } from '../context/context.ts';
import { createResolver, DnsError, dnsProblem, type DnsResolver } from '../dns/resolver.ts';
import { conflict } from '../errors.ts';
import { log } from '../log.ts';
import { Company } from '../models/company.ts';
import { Domain } from '../models/domain.ts';

/**
 * The TXT record by which a company proves that a domain is its own (D34). The text differs for
 * each company, so one company's record proves nothing for another. The text is derived from the
 * host's secret and is not stored.
 */
export function proofOf(
  app: App,
  { companyId, domainName }: Pick<Domain, 'companyId' | 'domainName'>,
): { name: string; content: string } {
  const mac = createHmac('sha256', app.secrets.key('domain-proof')).update(`${companyId} ${domainName}`);
  const content = `selvage-verification=${mac.digest('hex').slice(0, 40)}`;
  return { name: `_selvage.${domainName}`, content };
}

/** The condition of a domain that people, aliases and groups can have addresses in. */
export const canHaveAddresses = { deletedAt: null, verifiedAt: { [Op.ne]: null } };

/**
 * What the DNS answered about a proof. `others` are the other texts at the proof's name. `failure`
 * is the error that the name servers answered with; null when none answered in time.
 */
export type ProofAnswer =
  | { kind: 'found' }
  | { kind: 'missing'; others: string[] }
  | { kind: 'unanswered'; failure: 'SERVFAIL' | 'REFUSED' | null };

const askLimits = { timeoutMs: 2000, tries: 2, cacheMs: 0 };

/**
 * Asks the DNS for the record of a proof, at its own name and at the domain itself. It uses no
 * cached answers, since an administrator has just changed the DNS and waits for the host to see it.
 */
export async function askForProof(app: App, domain: Domain): Promise<ProofAnswer> {
  const { name, content } = proofOf(app, domain);
  const resolver = createResolver(app.config.dnsServers, askLimits);
  const [own, above] = await Promise.all([textsAt(resolver, name), textsAt(resolver, domain.domainName)]);
  if ([own, above].some(({ texts }) => texts.some((text) => isProof(text, content)))) return { kind: 'found' };
  const silent = [own, above].find(({ failure }) => failure !== undefined);
  if (silent?.failure !== undefined) return { kind: 'unanswered', failure: silent.failure };
  return { kind: 'missing', others: own.texts };
}

/** Some forms of registrars keep quotation marks that were typed around a text. */
export function isProof(text: string, content: string): boolean {
  return text.replaceAll(/["\s]/g, '').toLowerCase() === content;
}

interface Texts {
  texts: string[];
  /** Absent where the name servers answered. */
  failure?: 'SERVFAIL' | 'REFUSED' | null;
}

async function textsAt(resolver: DnsResolver, name: string): Promise<Texts> {
  try {
    return { texts: await resolver.txt(name) };
  } catch (error) {
    if (dnsProblem(error) !== 'temporary') return { texts: [] };
    const code = error instanceof DnsError ? error.code : '';
    return { texts: [], failure: code === 'ESERVFAIL' ? 'SERVFAIL' : code === 'EREFUSED' ? 'REFUSED' : null };
  }
}

/**
 * The sentence for a person whose proof is not in the DNS. It quotes the text that the DNS has
 * instead.
 */
export function sayMissing(name: string, others: readonly string[]): string {
  const [other] = others;
  if (other === undefined) {
    return 'The record is not there yet. After a change it can take an hour until it is seen everywhere.';
  }
  const shown = other.length > mostShown ? `${other.slice(0, mostShown)}…` : other;
  return `At ${name} the DNS has another text: “${shown}”. Put the value that is shown here in its place.`;
}

const mostShown = 100;

/**
 * Makes a domain its company's own, by its DNS proof or because the provider vouches for it.
 * @throws AppError 409 `domain_taken` when another company has proved it
 */
export async function ownDomain(tx: TxCtx, domain: Domain, by: { vouchedBy: string } | { proof: true }): Promise<void> {
  const vouchedBy = 'vouchedBy' in by ? by.vouchedBy : null;
  try {
    await domain.update({ verifiedAt: new Date(), vouchedBy }, { transaction: tx.tx });
  } catch (error) {
    if (!(error instanceof UniqueConstraintError)) throw error;
    throw domainTaken(domain.domainName);
  }
  await recordAuditOf(tx, domain, {
    action: vouchedBy === null ? 'domain:proved' : 'domain:vouched-for',
    entity: 'domain',
    details: { domain_name: domain.domainName },
  });
}

/** The error for a company that claims a domain of another one. */
export function domainTaken(domainName: string): Error {
  return conflict(`The domain ${domainName} belongs to a company of this host already.`, 'domain_taken');
}

const askAgainMs = 5 * 60_000;
/**
 * A domain that is not proved within this time is checked only when a person presses the button.
 */
const giveUpAfterMs = 30 * 24 * 3_600_000;
const domainsOfPass = 20;

/**
 * Checks the proofs of domains that wait for them, those that were checked longest ago first.
 * @returns the names of those that were proved
 */
export async function proveWaitingDomains(ctx: Ctx, now = new Date()): Promise<string[]> {
  const waiting = await Domain.findAll({
    where: {
      verifiedAt: null,
      deletedAt: null,
      companyId: { [Op.in]: literal('(SELECT id FROM companies WHERE deleted_at IS NULL)') },
      createdAt: { [Op.gt]: new Date(now.getTime() - giveUpAfterMs) },
      proofAskedAt: {
        [Op.or]: [
          null,
          { [Op.lt]: new Date(now.getTime() - askAgainMs) },
          // Asked by a clock that was ahead
          { [Op.gt]: new Date(now.getTime() + askAgainMs) },
        ],
      },
    },
    order: [['proofAskedAt', 'ASC']],
    limit: domainsOfPass,
  });
  const proved = await Promise.all(
    waiting.map((domain) =>
      proveIfPossible(ctx, domain, now).catch((error: unknown) => {
        // Another company may have proved it at this moment. That must not fail the other domains
        log.warn('a domain could not be proved', { domain: domain.domainName, error });
        return false;
      }),
    ),
  );
  return waiting.flatMap(({ domainName }, index) => (proved[index] ? [domainName] : []));
}

/**
 * Checks the proof of a domain and makes the domain its company's, unless another caller does so at
 * this moment.
 * @returns whether it was proved now
 */
export async function proveIfPossible(ctx: Ctx, domain: Domain, now = new Date()): Promise<boolean> {
  // Of two workers that take the same domain at once, only one asks the DNS
  const { id, proofAskedAt } = domain;
  const [taken] = await Domain.update({ proofAskedAt: now }, { where: { id, proofAskedAt }, silent: true });
  if (taken === 0 || (await askForProof(ctx.app, domain)).kind !== 'found') return false;
  return await inTransaction(ctx, async (tx) => {
    const options = { transaction: tx.tx, lock: true } as const;
    const company = await Company.findOne({ where: { id: domain.companyId, deletedAt: null }, ...options });
    const fresh = company && (await Domain.findOne({ where: { id }, ...options }));
    if (!fresh || fresh.verifiedAt || fresh.deletedAt) return false;
    // Another company may have proved the domain in the meantime
    const owner = { domainName: fresh.domainName, verifiedAt: { [Op.ne]: null } };
    if (await Domain.findOne({ where: owner, attributes: ['id'], transaction: tx.tx })) return false;
    await ownDomain(tx, fresh, { proof: true });
    return true;
  });
}
