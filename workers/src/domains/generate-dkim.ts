import { defaultSelector, generateDkim } from '@selvage/core/jobs/generate-dkim';
import { processor } from '@selvage/core/jobs/processor';
import { generateDkimKeyPair } from '@selvage/core/mail/dkim-key-pair';
import { DkimKey } from '@selvage/core/models/dkim-key';
import { Domain } from '@selvage/core/models/domain';
import { domainsWithoutKey } from '@selvage/core/outbound/sign-outgoing';
import { dkimKeyPurpose } from '@selvage/core/outbound/signing-keys';
import { type Ctx, inTransaction } from '@selvage/core/context/context';
import { log } from '@selvage/core/log';
import { workThrough } from '@selvage/core/sweeps/work-through';

/**
 * Makes the key of a domain's selector, unless it exists. The first key of a domain signs at once.
 * A further one waits until the DNS has its record (`activateSeenKeys`): a signature that no
 * receiver can check would harm the mail.
 */
export async function makeDkimKey(ctx: Ctx, input: { domainId: string; selector: string }): Promise<void> {
  if (await DkimKey.findOne({ where: input, attributes: ['id'] })) return;
  // Outside the transaction, since making a key takes as long as many transactions
  const { privateKeyPem, publicKeyBase64 } = await generateDkimKeyPair();
  const privateKey = ctx.app.secrets.seal(privateKeyPem, dkimKeyPurpose);
  const isMade = await inTransaction(ctx, async ({ tx }) => {
    // The domain's row is locked, so that of two workers that make a key at once only one stores it
    const domain = await Domain.findByPk(input.domainId, { lock: true, transaction: tx });
    if (!domain || (await DkimKey.findOne({ where: input, attributes: ['id'], lock: true, transaction: tx })))
      return false;
    const { companyId } = domain;
    const isFirst = (await DkimKey.count({ where: { domainId: input.domainId }, transaction: tx })) === 0;
    const state = { isActive: isFirst, signsSince: isFirst ? new Date() : null };
    const values = { ...input, companyId, publicKey: publicKeyBase64, privateKey, ...state };
    await DkimKey.create(values, { transaction: tx });
    return true;
  });
  if (isMade) log.info('signing key made', input);
}

/**
 * Makes the first key of each domain whose job was lost. Once a job is announced, only Redis has it
 * (D22).
 */
export async function makeMissingKeys(ctx: Ctx, signal?: AbortSignal): Promise<void> {
  const make = async (domainId: string): Promise<boolean> => {
    await makeDkimKey(ctx, { domainId, selector: defaultSelector });
    return true;
  };
  await workThrough(await domainsWithoutKey(ctx), make, { failure: 'a signing key could not be made', signal });
}

/** Answers `domain.generate-dkim`. */
export const generateDkimProcessor = processor(generateDkim, makeDkimKey);
