import { inTransaction } from '@selvage/core/context/context';
import { type ChoicesDto, mostPageSizes, readChoices } from '@selvage/core/contracts/choices';
import { notFound } from '@selvage/core/errors';
import { User } from '@selvage/core/models/user';
import type { SignedIn } from '../http/request-context.ts';

/** The choices of a person. */
export function presentChoices({ choices }: Pick<User, 'choices'>): ChoicesDto {
  return readChoices(choices ?? {});
}

/**
 * Adds to the stored choices. The row is locked, so two devices that save at once do not undo each
 * other's choices.
 */
export async function saveOwnChoices(ctx: SignedIn, changes: ChoicesDto): Promise<ChoicesDto> {
  return await inTransaction(ctx, async (tx) => {
    const user = await User.findByPk(ctx.actor.userId, { transaction: tx.tx, lock: true });
    if (!user) throw notFound('user');
    const { page_sizes: sizes, ...before } = presentChoices(user);
    const { page_sizes: newSizes, ...others } = changes;
    const allSizes = Object.entries({ ...withoutKeys(sizes, newSizes), ...newSizes }).slice(-mostPageSizes);
    const choices = {
      ...before,
      ...others,
      ...(allSizes.length > 0 && { page_sizes: Object.fromEntries(allSizes) }),
    };
    // `silent` keeps `updatedAt`, since these choices are no change of the record that a form shows
    await User.update({ choices }, { where: { id: user.id }, transaction: tx.tx, silent: true });
    return presentChoices({ choices });
  });
}

/**
 * The older sizes without those that are set anew. The new ones are appended, so that the oldest
 * are dropped first.
 */
function withoutKeys(sizes: Record<string, number> = {}, chosen: Record<string, number> = {}): Record<string, number> {
  return Object.fromEntries(Object.entries(sizes).filter(([list]) => !(list in chosen)));
}
