import type { DnsProblem } from '../contracts/domain-check.ts';
import type { Ctx } from '../context/context.ts';
import { isPublicAddress } from '../dns/public-address.ts';
import { reverseName } from '../dns/reverse-name.ts';
import { Company } from '../models/company.ts';
import type { Domain } from '../models/domain.ts';
import { problemsOf } from './found.ts';
import { type Questions, recordsOf } from './questions.ts';

const problem = problemsOf('dns');
const mostAddresses = 4;

const consequence =
  'Many servers refuse mail from it, or take it for spam. Its PTR record is set where the server was rented.';

/**
 * Warns of each address of this host whose reverse DNS (RFC 1912 2.1) does not name the host. Only
 * the operator can mend that, so only the domains of the provider's company have the warning.
 * @param addresses that mail leaves from
 */
export async function checkReverse(
  ctx: Ctx,
  questions: Questions,
  { domain, addresses }: { domain: Domain; addresses: readonly string[] },
): Promise<DnsProblem[]> {
  const known = addresses.filter(isPublicAddress).slice(0, mostAddresses);
  if (known.length === 0) return [];
  const company = await Company.findByPk(domain.companyId, { paranoid: false, transaction: ctx.tx });
  if (!company?.isProvider) return [];
  const host = ctx.app.config.hostname;
  return (await Promise.all(known.map((address) => judgeAddress(questions, address, host)))).flat();
}

async function judgeAddress(questions: Questions, address: string, host: string): Promise<DnsProblem[]> {
  const name = reverseName(address);
  if (name === null) return [];
  const said = await questions.ask('PTR', name);
  const names = recordsOf(said).map(({ value }) => value);
  if (said.kind === 'unanswered' || names.includes(host)) return [];
  const [other] = names;
  const found = other === undefined ? 'has no name' : `names ${other} and not ${host}`;
  const text = `The reverse DNS of ${address}, an address of this host, ${found}. ${consequence}`;
  return [problem(text, { type: 'PTR', name, content: host }, 'warning')];
}
