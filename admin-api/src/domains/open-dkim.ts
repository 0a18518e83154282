import { setTimeout as wait } from 'node:timers/promises';
import { recordAuditOf } from '@selvage/core/access/audit';
import { consume } from '@selvage/core/access/rate-limit';
import { findInScope, inScope } from '@selvage/core/access/scope';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import type { generateOpenDkim } from '@selvage/core/contracts/domains';
import type { InferAnswer, InferBody } from '@selvage/core/contracts/endpoint';
import { conflict } from '@selvage/core/errors';
import { enqueue } from '@selvage/core/jobs/enqueue';
import { generateDkim } from '@selvage/core/jobs/generate-dkim';
import { companyDomain } from '@selvage/core/mail/domain-name';
import { dkimRecord } from '@selvage/core/mail/dkim-key-pair';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { Op } from 'sequelize';
import { countAttempt } from '../auth/throttle.ts';
import { refuseDeleted } from '../http/record-state.ts';
import type { SignedIn } from '../http/request-context.ts';
import { wrong } from '../users/guard-user.ts';
import { rules } from './rate-limits.ts';

const mostSelectors = 10;
const waitMs = 8000;
const pollMs = 100;

/**
 * The DKIM record of a domain and a selector. When there is no key, a job makes one, and this waits
 * some seconds for it. Later calls return the same key.
 * @throws 422 for a domain outside the caller's scope, 409 `deleted`, `too_many_selectors`, 429
 */
export async function openDkim(
  ctx: SignedIn,
  { domain: typed, domain_id: id, selector }: InferBody<typeof generateOpenDkim>,
): Promise<InferAnswer<typeof generateOpenDkim>> {
  const domain = await findByName(ctx, typed, id);
  refuseDeleted(domain);
  const answer = {
    domain: domain.domainName,
    record_name: `${selector}._domainkey.${domain.domainName}`,
    type: 'TXT' as const,
  };
  const key = { domainId: String(domain.id), selector };
  const known = await contentOf(key);
  if (known !== null) return { ...answer, content: known };
  try {
    await askForKey(ctx, domain, key);
  } catch (error) {
    await forgetAsking(ctx, key);
    throw error;
  }
  const end = Date.now() + waitMs;
  let content: string | null = null;
  while (content === null && Date.now() < end) {
    await wait(pollMs);
    content = await contentOf(key);
  }
  return { ...answer, content };
}

async function contentOf(where: { domainId: string; selector: string }): Promise<string | null> {
  const key = await DkimKey.findOne({ where, attributes: ['publicKey'] });
  return key && dkimRecord(key.publicKey);
}

const askedSeconds = 300;

/** The Redis key that marks a key as requested. */
const askedMark = ({ domainId, selector }: { domainId: string; selector: string }): string =>
  `dkim-asked:${domainId}:${selector}`;

/** Lets the next call request the key again at once. */
export async function forgetAsking({ app }: Ctx, key: { domainId: string; selector: string }): Promise<void> {
  await app.redis.del(`rate:${askedMark(key)}`);
}

/**
 * Requests the key from the job. Callers repeat their call while the key is being made, so only the
 * first call enqueues the job.
 */
async function askForKey(ctx: SignedIn, domain: Domain, key: { domainId: string; selector: string }): Promise<void> {
  const mark = askedMark(key);
  if (!(await consume(ctx.app.redis, mark, { limit: 1, windowSeconds: askedSeconds })).allowed) return;
  await countAttempt(ctx.app, rules.key, ctx.actor.userId);
  await inTransaction(ctx, async (tx) => {
    // The domain's row is locked, so that two callers at once do not exceed the limit
    const { id } = await findInScope(tx, Domain, key.domainId);
    if ((await DkimKey.count({ where: { domainId: String(id) }, transaction: tx.tx })) >= mostSelectors) {
      throw conflict(`A domain has at most ${mostSelectors} selectors.`, 'too_many_selectors');
    }
    await enqueue(tx, generateDkim, key);
    await recordAuditOf(tx, domain, {
      action: 'dkim-key:asked',
      entity: 'domain',
      details: { domain_name: domain.domainName, selector: key.selector },
    });
  });
}

/**
 * A domain in the caller's scope by its name. If several companies have added it, the one that has
 * verified it comes first.
 * @throws 422 at `domain`
 */
export async function findByName(ctx: SignedIn, typed: string, id?: string): Promise<Domain> {
  const domain = await Domain.findOne({
    where: {
      [Op.and]: [inScope(ctx, Domain), { domainName: companyDomain(typed) ?? '' }, id === undefined ? {} : { id }],
    },
    order: [
      ['verifiedAt', 'DESC'],
      ['id', 'ASC'],
    ],
  });
  if (!domain) throw wrong('domain', 'You have no domain of this name');
  return domain;
}
