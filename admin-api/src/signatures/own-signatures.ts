import { nameKeyOf } from '@selvage/core/mailstore/name-key';
import { writeUniqueName } from '../http/write-unique-name.ts';
import { recordAudit } from '@selvage/core/access/audit';
import { saveForm } from '@selvage/core/access/save-form';
import type { InferBody } from '@selvage/core/contracts/endpoint';
import type { SignatureDto, updateSignature } from '@selvage/core/contracts/signatures';
import { readRows } from '@selvage/core/database/run-sql';
import { lockUser } from '@selvage/core/directory/lock-user';
import { conflict, invalid, notFound } from '@selvage/core/errors';
import { Signature } from '@selvage/core/models/signature';
import { User } from '@selvage/core/models/user';
import { type Ctx, inTransaction, turnOf, type TxCtx } from '@selvage/core/context/context';
import { countOwnChange } from '../account/count-own-change.ts';
import type { SignedIn } from '../http/request-context.ts';

const nameTaken = {
  text: 'A signature with this name already exists',
  code: 'signature_name_taken',
  field: 'signature_name',
};

const maxSignatures = 50;
/** The most characters of all signatures of a person together: one answer has all of them. */
const maxCharacters = 1_000_000;

/** The caller's signatures, by name. */
export async function listOwnSignatures(ctx: SignedIn): Promise<SignatureDto[]> {
  const found = await Signature.findAll({ where: { userId: ctx.actor.userId }, order: [['nameKey', 'ASC']] });
  return found.map(presentSignature);
}

/** @throws 409, 422 */
export async function addSignature(
  ctx: SignedIn,
  given: { signature_name: string; signature_body: string },
): Promise<SignatureDto> {
  await countOwnChange(ctx);
  const values = { ...nameValues(given.signature_name), signatureBody: await cleanBody(ctx, given.signature_body) };
  return await inTransaction(ctx, async (tx) => {
    const user = await lockUser(tx, ctx.actor.userId);
    const owner = { userId: String(user.id), companyId: String(user.companyId) };
    const count = await Signature.count({ where: { userId: owner.userId }, transaction: tx.tx });
    if (count >= maxSignatures) {
      throw conflict(`There are ${maxSignatures} signatures already. Delete one first.`, 'too_many_signatures');
    }
    await requireRoomFor(tx, owner.userId, values.signatureBody);
    const made = await writeUniqueName(nameTaken, () =>
      Signature.create({ ...owner, ...values }, { transaction: tx.tx }),
    );
    await audit(tx, 'signature:created', String(made.id));
    return presentSignature(made);
  });
}

/**
 * @throws 404 for another person's, 409 when the name is taken or the signature was changed
 * meanwhile, 422
 */
export async function changeSignature(
  ctx: SignedIn,
  id: string,
  given: InferBody<typeof updateSignature>,
): Promise<SignatureDto> {
  await countOwnChange(ctx);
  const values = {
    ...(given.signature_name === undefined ? {} : nameValues(given.signature_name)),
    ...(given.signature_body === undefined ? {} : { signatureBody: await cleanBody(ctx, given.signature_body) }),
  };
  return await inTransaction(ctx, async (tx) => {
    const where = { id, userId: ctx.actor.userId };
    await lockUser(tx, where.userId);
    const found = await Signature.findOne({ where, transaction: tx.tx, lock: tx.tx.LOCK.UPDATE });
    if (!found) throw notFound('signature');
    if (values.signatureBody !== undefined) await requireRoomFor(tx, where.userId, values.signatureBody, id);
    const change = {
      changes: values,
      fields: { signatureName: 'signature_name', signatureBody: 'signature_body' },
      startedFrom: given.version,
      entity: 'signature',
      action: 'signature:updated',
      present: () => presentSignature(found),
    } as const;
    await writeUniqueName(nameTaken, () => saveForm(tx, found, change));
    return presentSignature(found);
  });
}

/**
 * Checks that a signature fits beside the person's others. The caller has locked the person.
 * @param except the signature that it replaces
 * @throws 422
 */
async function requireRoomFor(tx: TxCtx, userId: string, body: string, except = '0'): Promise<void> {
  const [row] = await readRows<{ characters: string | number }>(
    tx,
    'SELECT COALESCE(SUM(CHAR_LENGTH(signature_body)), 0) AS characters FROM signatures WHERE user_id = ? AND id <> ?',
    [userId, except],
  );
  if (Number(row?.characters) + body.length <= maxCharacters) return;
  const text = 'Your signatures are too long together. Shorten this one, or delete another one.';
  throw invalid({ signature_body: text }, text);
}

/**
 * Deletes a signature. The database clears the preferences that refer to it.
 * @throws 404 for another person's
 */
export async function removeOwnSignature(ctx: SignedIn, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const removed = await Signature.destroy({ where: { id, userId: ctx.actor.userId }, transaction: tx.tx });
    if (removed === 0) throw notFound('signature');
    await audit(tx, 'signature:removed', id);
  });
}

/** Undefined leaves a preference unchanged. Empty and null clear it. */
type Choice = string | null | undefined;

/** @throws 404 for another person's */
export async function choosePreferences(
  ctx: SignedIn,
  given: { signature_new_emails_use?: Choice; signature_reply_forward_emails_use?: Choice },
): Promise<void> {
  await countOwnChange(ctx);
  await inTransaction(ctx, async (tx) => {
    const newId = await chosen(tx, ctx.actor.userId, given.signature_new_emails_use);
    const replyId = await chosen(tx, ctx.actor.userId, given.signature_reply_forward_emails_use);
    const changes = {
      ...(newId === undefined ? {} : { signatureNewId: newId }),
      ...(replyId === undefined ? {} : { signatureReplyId: replyId }),
    };
    const user = await User.findByPk(ctx.actor.userId, {
      attributes: ['id', 'signatureNewId', 'signatureReplyId'],
      transaction: tx.tx,
      lock: tx.tx.LOCK.UPDATE,
      rejectOnEmpty: true,
    });
    if (!user.set(changes).changed()) return;
    await User.update(changes, { where: { id: ctx.actor.userId }, transaction: tx.tx });
    await audit(tx, 'signature:chosen', null);
  });
}

async function chosen(tx: TxCtx, userId: string, choice: Choice): Promise<Choice> {
  if (choice === undefined || choice === null || choice === '') return choice === undefined ? undefined : null;
  // Locked, so that the signature can't be deleted before the preference is written
  const found = await Signature.findOne({
    where: { id: choice, userId },
    attributes: ['id'],
    transaction: tx.tx,
    lock: tx.tx.LOCK.SHARE,
  });
  if (!found) throw notFound('signature');
  return choice;
}

function nameValues(signatureName: string): { signatureName: string; nameKey: string } {
  return { signatureName, nameKey: nameKeyOf(signatureName) };
}

/** Cleans a signature by the rules for outgoing mail, since it becomes part of messages. */
async function cleanBody(ctx: Ctx, html: string): Promise<string> {
  const composed = await ctx.app.content.composeText(html, turnOf(ctx));
  const clean = composed.html.trim();
  const hasContent = composed.text.trim() !== '' || /<img\b[^>]*\ssrc=/i.test(clean);
  const text = 'Please enter signature content';
  if (!hasContent) throw invalid({ signature_body: text }, text);
  return clean;
}

async function audit(
  tx: TxCtx,
  action: `signature:${'created' | 'removed' | 'chosen'}`,
  id: string | null,
): Promise<void> {
  await recordAudit(tx, { action, entity: 'signature', ...(id ? { entityId: id } : {}) });
}

function presentSignature(found: Signature): SignatureDto {
  return {
    _id: String(found.id),
    signature_name: found.signatureName,
    signature_body: found.signatureBody,
    version: found.version,
    createdAt: found.createdAt.toISOString(),
    updatedAt: found.updatedAt.toISOString(),
  };
}
