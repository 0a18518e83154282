import { importDto } from '@selvage/core/contracts/many-users';
import { notFound } from '@selvage/core/errors';
import { parseKept } from '@selvage/core/parse-kept';
import { z } from 'zod';
import type { SignedIn } from '../http/request-context.ts';

/** How many people of an import have been added. */
const progressSchema = importDto.pick({ people: true }).extend({ done: z.int() });
export type Progress = z.infer<typeof progressSchema>;

const lifetimeSeconds = 600;

/**
 * The key contains the caller's id, so a caller can't read the progress of another person's import.
 */
const keyOf = ({ actor }: SignedIn, importId: string): string => `import-users:${actor.userId}:${importId}`;

export async function setImportProgress(ctx: SignedIn, importId: string, progress: Progress): Promise<void> {
  await ctx.app.redis.set(keyOf(ctx, importId), JSON.stringify(progress), 'EX', lifetimeSeconds);
}

/** @throws 404 before the import has begun to add people */
export async function importProgress(ctx: SignedIn, importId: string): Promise<Progress> {
  const progress = parseKept(
    await ctx.app.redis.get(keyOf(ctx, importId)),
    progressSchema,
    'the progress of an import',
  );
  if (progress === null) throw notFound('import');
  return progress;
}
