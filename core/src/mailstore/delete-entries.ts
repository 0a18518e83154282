import type { Ctx } from '../context/context.ts';
import { AppError } from '../errors.ts';
import { changeStatus } from './change-status.ts';

/**
 * Deletes a batch of a person's entries for good. Where another window deletes one of them at this
 * moment, none is deleted: the next look at the folder finds the rest.
 * @returns how many were deleted
 */
export async function deleteEntries(ctx: Ctx, userId: string, entryIds: string[]): Promise<number> {
  try {
    return (await changeStatus(ctx, { userId, entryIds, flags: { deleteStatus: true } })).changed;
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return 0;
    throw error;
  }
}
