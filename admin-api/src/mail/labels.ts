import { nameKeyOf } from '@selvage/core/mailstore/name-key';
import { writeUniqueName } from '../http/write-unique-name.ts';
import { type LabelColour, type LabelDto, mostLabels } from '@selvage/core/contracts/labels';
import { inTransaction } from '@selvage/core/context/context';
import { readRows } from '@selvage/core/database/run-sql';
import { lockUser } from '@selvage/core/directory/lock-user';
import { conflict, notFound } from '@selvage/core/errors';
import { causeOf, enqueueAll } from '@selvage/core/jobs/enqueue';
import { removeLabel } from '@selvage/core/jobs/remove-label';
import { announceChanges, type FolderNotice } from '@selvage/core/mailstore/change-feed';
import { Label } from '@selvage/core/models/label';
import type { SignedIn } from '../http/request-context.ts';

const nameTaken = {
  text: 'A label with this name already exists',
  code: 'label_name_taken',
  field: 'name',
};

interface Given {
  name: string;
  colour: LabelColour;
}

/** The caller's labels, by name. */
export async function listOwnLabels(ctx: SignedIn): Promise<LabelDto[]> {
  const found = await Label.findAll({
    where: { userId: ctx.actor.userId, removedAt: null },
    order: [['nameKey', 'ASC']],
  });
  return found.map(presentLabel);
}

/** @throws 409 */
export async function addLabel(ctx: SignedIn, { name, colour }: Given): Promise<LabelDto> {
  const made = await inTransaction(ctx, async (tx) => {
    // Two windows that make labels at once take turns, so that there are never too many
    const user = await lockUser(tx, ctx.actor.userId);
    const owner = { userId: String(user.id), companyId: String(user.companyId) };
    const count = await Label.count({ where: { userId: owner.userId, removedAt: null }, transaction: tx.tx });
    if (count >= mostLabels) {
      throw conflict(`There are ${mostLabels} labels already. Delete one first.`, 'too_many_labels');
    }
    const values = { ...owner, name, nameKey: nameKeyOf(name), colour };
    return await writeUniqueName(nameTaken, () => Label.create(values, { transaction: tx.tx }));
  });
  await tellWindows(ctx);
  return presentLabel(made);
}

/** @throws 404 for another person's, 409 when the name is taken */
export async function changeOwnLabel(
  ctx: SignedIn,
  id: string,
  { name, colour }: { [Field in keyof Given]?: Given[Field] | undefined },
): Promise<LabelDto> {
  const changed = await inTransaction(ctx, async (tx) => {
    const found = await Label.findOne({
      where: { id, userId: ctx.actor.userId, removedAt: null },
      transaction: tx.tx,
      lock: tx.tx.LOCK.UPDATE,
    });
    if (!found) throw notFound('label');
    const values = {
      ...(name === undefined ? {} : { name, nameKey: nameKeyOf(name) }),
      ...(colour === undefined ? {} : { colour }),
    };
    return await writeUniqueName(nameTaken, () => found.update(values, { transaction: tx.tx }));
  });
  await tellWindows(ctx);
  return presentLabel(changed);
}

/**
 * Deletes a label. It disappears from lists at once, and a job removes it from its messages.
 * @throws 404 for another person's
 */
export async function removeOwnLabel(ctx: SignedIn, id: string): Promise<void> {
  await inTransaction(ctx, async (tx) => {
    const [removed] = await Label.update(
      { removedAt: new Date(), nameKey: null },
      { where: { id, userId: ctx.actor.userId, removedAt: null }, transaction: tx.tx },
    );
    if (removed === 0) throw notFound('label');
    await enqueueAll(tx, removeLabel, [{ payload: { labelId: id }, causeId: causeOf(tx) }]);
  });
  await tellWindows(ctx);
}

/**
 * Tells the person's open windows about a change of the inbox: they fetch labels together with the
 * counts of folders, so this makes them fetch the labels again.
 */
async function tellWindows(ctx: SignedIn): Promise<void> {
  const { userId } = ctx.actor;
  const rows = await readRows<Omit<FolderNotice, 'userId'>>(
    ctx,
    "SELECT id AS folderId, role, highest_modseq AS modseq FROM folders WHERE user_id = ? AND role = 'inbox'",
    [userId],
  );
  announceChanges(
    ctx.app,
    rows.map(({ folderId, role, modseq }) => ({ userId, role, folderId: String(folderId), modseq: String(modseq) })),
  );
}

function presentLabel({ id, name, colour, total, unread }: Label): LabelDto {
  return { _id: String(id), name, colour, total: total ?? 0, unread: unread ?? 0 };
}
