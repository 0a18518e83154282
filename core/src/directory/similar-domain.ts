import { domainToUnicode } from 'node:url';
import { Op } from 'sequelize';
import type { Ctx } from '../context/context.ts';
import { conflict } from '../errors.ts';
import { skeletonOf } from '../mail/alike-domains.ts';
import { Domain } from '../models/domain.ts';

const pageRows = 2000;

/**
 * Refuses a domain that looks like another one of the host: it may be a typing mistake, or meant to
 * deceive. A client that wants it all the same repeats the call with `similar_domain_ok`. People of
 * tenants are not told which domain it resembles.
 * @param field the field of the form that holds the domain
 * @throws AppError 409 `similar_domain`
 */
export async function refuseSimilarDomain(ctx: Ctx, domain: string, field: string): Promise<void> {
  const similar = await findSimilarDomain(ctx, domain);
  if (similar === null) return;
  const named = ctx.scope.kind === 'host' ? `${domainToUnicode(similar)}, which` : 'one that';
  const text = `This domain looks like ${named} this host has already.`;
  throw conflict(text, 'similar_domain', { [field]: text });
}

/**
 * A domain of the host that looks like another one to a reader, such as `paypa1.test` or one in
 * Cyrillic letters; null when there is none. Deleted domains count, unproved ones do not. It reads
 * the names of all domains: ten thousand of them take some 30 ms, and domains are added rarely.
 * @param domain the ASCII form of a name (A-labels)
 */
async function findSimilarDomain(ctx: Ctx, domain: string): Promise<string | null> {
  const wanted = skeletonOf(domain);
  for (let after = '0'; ; ) {
    const rows = await Domain.findAll({
      attributes: ['id', 'domainName'],
      where: { id: { [Op.gt]: after }, verifiedAt: { [Op.ne]: null } },
      order: [['id', 'ASC']],
      limit: pageRows,
      transaction: ctx.tx,
    });
    const similar = rows.find(({ domainName }) => domainName !== domain && skeletonOf(domainName) === wanted);
    if (similar) return similar.domainName;
    if (rows.length < pageRows) return null;
    after = String(rows.at(-1)?.id);
  }
}
