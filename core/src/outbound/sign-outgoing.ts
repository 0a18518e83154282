import { literal, Op } from 'sequelize';
import { domainOf } from '../mail/address-rules.ts';
import { Domain } from '../models/domain.ts';
import { joinBytes } from '../share-bytes.ts';
import type { Ctx } from '../context/context.ts';
import { log } from '../log.ts';
import type { OutgoingMessage } from './claim-deliveries.ts';
import { openSigningKey } from './signing-keys.ts';

/**
 * A job makes the key of a new domain. Mail waits for it up to this long after it was accepted, and
 * then leaves unsigned.
 */
const waitForKeyMs = 600_000;

/**
 * The bytes to transmit: the signature, the host's own header lines, the message. `wait` while the
 * domain's key is being made.
 * @throws Error when the key can't be opened, or the message can't be signed
 */
export async function signOutgoing(
  ctx: Ctx,
  message: OutgoingMessage,
  raw: Buffer,
  now = new Date(),
): Promise<{ kind: 'ready'; bytes: Buffer } | { kind: 'wait' }> {
  const domain = domainOf(message.fromAddress).toLowerCase();
  const trace = Buffer.from(message.traceHeaders);
  if (!message.key) {
    if (now.getTime() - message.createdAt.getTime() < waitForKeyMs) return { kind: 'wait' };
    log.warn('message leaves without a signature, its domain has no key', { mailId: message.mailId, domain });
    return { kind: 'ready', bytes: await joinBytes([trace, raw]) };
  }
  const privateKey = await openSigningKey(ctx, message.key);
  const signature = await ctx.app.content.sign(raw, { domain, selector: message.key.selector, privateKey }, domain);
  return { kind: 'ready', bytes: await joinBytes([Buffer.from(signature), trace, raw]) };
}

/** A domain has this long for the job that makes its key, until the key counts as missing. */
const keyGraceMs = 60_000;
/** The most keys that one sweep makes: making a key takes time, and the next sweep makes more. */
const keyBatch = 20;

/**
 * Ids of domains that have no key at all, the oldest first. A key that waits for its record in the
 * DNS counts as one.
 */
export async function domainsWithoutKey(ctx: Ctx, now = new Date()): Promise<string[]> {
  const domains = await Domain.findAll({
    attributes: ['id'],
    where: {
      deletedAt: null,
      createdAt: { [Op.lt]: new Date(now.getTime() - keyGraceMs) },
      [Op.and]: literal('NOT EXISTS (SELECT 1 FROM dkim_keys k WHERE k.domain_id = `Domain`.`id`)'),
    },
    order: [['id', 'ASC']],
    limit: keyBatch,
    transaction: ctx.tx,
  });
  return domains.map(({ id }) => String(id));
}
