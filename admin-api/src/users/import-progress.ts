import type { ImportDto } from '@selvage/core/contracts/many-users';
import { notFound } from '@selvage/core/errors';
import type { SignedIn } from '../http/request-context.ts';

/** How many people of an import have been added. */
export type Progress = Pick<ImportDto, 'people'> & { done: number };

const LIFETIME_SECONDS = 600;

/**
 * The key contains the caller's id, so a caller can't read the progress of another person's import.
 */
const keyOf = ({ actor }: SignedIn, importId: string): string => `import-users:${actor.userId}:${importId}`;

export async function setImportProgress(ctx: SignedIn, importId: string, progress: Progress): Promise<void> {
  await ctx.app.redis.set(keyOf(ctx, importId), JSON.stringify(progress), 'EX', LIFETIME_SECONDS);
}

/** @throws 404 before the import has begun to add people */
export async function importProgress(ctx: SignedIn, importId: string): Promise<Progress> {
  const stored = await ctx.app.redis.get(keyOf(ctx, importId));
  if (stored === null) throw notFound('import');
  return JSON.parse(stored) as Progress;
}
