import type { Ctx } from '../context/context.ts';
import { changeMeant, type NamedEntries } from './change-status.ts';

/**
 * Deletes a batch of a person's entries for good. If another window deletes, restores or moves an
 * entry at this moment, `isMeant` decides whether it is still deleted.
 * @returns the ids of those that were deleted
 * @throws AppError as `changeStatus` does, except for entries that are deleted already
 */
export async function deleteEntries(ctx: Ctx, named: Required<NamedEntries>): Promise<string[]> {
  return await changeMeant(ctx, { ...named, flags: { deleteStatus: true } });
}
