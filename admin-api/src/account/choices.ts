import { inTransaction } from '@selvage/core/context/context';
import { type ChoicesDto, choicesDto, mostPageSizes } from '@selvage/core/contracts/choices';
import { notFound } from '@selvage/core/errors';
import { User } from '@selvage/core/models/user';
import type { SignedIn } from '../http/request-context.ts';

/** What a person has chosen, without what another version kept and this one can't read. */
export function presentChoices({ choices }: Pick<User, 'choices'>): ChoicesDto {
  const kept = Object.entries(choicesDto.shape).flatMap(([name, schema]) => {
    const read = schema.safeParse(choices?.[name]);
    return read.success && read.data !== undefined ? [[name, read.data] as const] : [];
  });
  return Object.fromEntries(kept);
}

/**
 * Adds choices to those that are kept. Two devices that choose at once wait for each other, so
 * neither takes back what the other has chosen.
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
    // The record is not what a form of it would call changed
    await User.update({ choices }, { where: { id: user.id }, transaction: tx.tx, silent: true });
    return presentChoices({ choices });
  });
}

/** What is chosen anew comes after the rest, so that the oldest is dropped. */
function withoutKeys(sizes: Record<string, number> = {}, chosen: Record<string, number> = {}): Record<string, number> {
  return Object.fromEntries(Object.entries(sizes).filter(([list]) => !(list in chosen)));
}
